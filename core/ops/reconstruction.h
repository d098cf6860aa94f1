// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/ops/operation.h"

#include <array>
#include <string>

/// How reconstruction and the operations derived from it are made from solvers, on any backend.
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

/// All of them, in reading order: what offers a solver offers it to each.
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

/// The operation's id in the table.
[[nodiscard]] std::string id_of(ReconstructionOperation operation);

/// An implementation around a solver: make the marker, reconstruct, and for what is the difference
/// to the image take it. Marker and difference are made on the CPU.
[[nodiscard]] Implementation reconstruction_implementation(ReconstructionOperation operation,
                                                           std::string algorithm, Backend backend,
                                                           ReconstructionSolver solver);

/// What a run of the operation hands to the solver. Throws InputError, Cancelled.
[[nodiscard]] ReconstructionProblem reconstruction_problem(ReconstructionOperation operation,
                                                           const Inputs& inputs,
                                                           const Values& values, Context& context);

}  // namespace seedwave
