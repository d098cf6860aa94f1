// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance.h"
#include "core/morphology/reconstruction.h"
#include "core/morphology/watershed.h"
#include "core/ops/operation.h"

#include <array>
#include <string>

/// Builds distances, the watershed, reconstruction and the operations derived from it from solvers,
/// on any backend.
namespace seedwave {

/// Returns the parameter `units`: distances by the spacing or in voxels.
[[nodiscard]] Parameter units_parameter(std::string help);
/// Returns the scale that the parameter `units` gives on the image's grid.
[[nodiscard]] DistanceScale distance_scale(const Inputs& inputs, const Values& values);
/// Returns the problem without the objects, to find out whether an implementation can solve it.
[[nodiscard]] DistanceProblem distance_question(const Inputs& inputs, const Values& values);
/// Returns the problem that a run with these inputs and values gives to a solver. Throws InputError
/// if the image cannot be read as objects or the answer does not fit its type.
[[nodiscard]] DistanceProblem distance_problem(const Inputs& inputs, const Values& values,
                                               Context& context);
/// Throws InputError if a value of the image is not a label.
[[nodiscard]] InfluenceZonesProblem influence_zones_problem(const Inputs& inputs,
                                                            const Values& values, Context& context);

/// Returns an implementation that runs a solver.
[[nodiscard]] Implementation distance_implementation(std::string algorithm, Backend backend,
                                                     DistanceSolver solver,
                                                     Exactness exactness = Exactness::Exact);
/// The distances limit the zones if a reach is given.
[[nodiscard]] Implementation influence_zones_implementation(std::string algorithm, Backend backend,
                                                            InfluenceZonesSolver solver,
                                                            DistanceSolver distance);

/// Returns the problem that a run gives to a solver: the markers of the marker image, overridden by
/// the seeds. Throws InputError if neither has any, or if the marker image holds values that are
/// not labels; Cancelled.
[[nodiscard]] WatershedProblem watershed_problem(const Inputs& inputs, const Values& values,
                                                 Context& context);

/// Returns an implementation that runs a solver: set up, solve, and draw the lines if requested.
[[nodiscard]] Implementation watershed_implementation(std::string algorithm, Backend backend,
                                                      WatershedSolver solver);

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
