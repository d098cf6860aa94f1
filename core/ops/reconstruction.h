// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/ops/operation.h"

#include <array>
#include <string>

/// Builds reconstruction and the operations derived from it from solvers, on any backend.
namespace seedwave {

enum class ReconstructionOperation {
  Reconstruct,
  OpenByReconstruction,
  CloseByReconstruction,
  HMaxima,
  HMinima,
  HDomes,
  FillHoles,
  ClearBorder,
  RegionalMaxima,
  RegionalMinima,
};

/// All of them in reading order: a solver is offered to each.
inline constexpr std::array kReconstructionOperations{
    ReconstructionOperation::Reconstruct,
    ReconstructionOperation::OpenByReconstruction,
    ReconstructionOperation::CloseByReconstruction,
    ReconstructionOperation::HMaxima,
    ReconstructionOperation::HMinima,
    ReconstructionOperation::HDomes,
    ReconstructionOperation::FillHoles,
    ReconstructionOperation::ClearBorder,
    ReconstructionOperation::RegionalMaxima,
    ReconstructionOperation::RegionalMinima,
};

/// Returns the operation's id in the table.
[[nodiscard]] std::string id_of(ReconstructionOperation operation);

/// Returns an implementation that runs a solver: computes the marker, reconstructs, and for some
/// operations takes the difference to the image. Marker and difference are computed on the CPU.
[[nodiscard]] Implementation reconstruction_implementation(ReconstructionOperation operation,
                                                           std::string algorithm, Backend backend,
                                                           ReconstructionSolver solver);

/// Returns the problem that a run of the operation gives to the solver. Throws InputError,
/// Cancelled.
[[nodiscard]] ReconstructionProblem reconstruction_problem(ReconstructionOperation operation,
                                                           const Inputs& inputs,
                                                           const Values& values, Context& context);

}  // namespace seedwave
