// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance.h"
#include "core/ops/operation.h"

#include <string>

/// How `distance` and `influence-zones` are made from solvers, on any backend.
namespace seedwave {

/// Whether distances are counted by the voxels' size or in voxels.
[[nodiscard]] Parameter units_parameter(std::string help);
/// How the parameter `units` counts distances on the image's grid.
[[nodiscard]] DistanceScale distance_scale(const Inputs& inputs, const Values& values);
/// What is asked, but for the objects: whether an implementation can answer it.
[[nodiscard]] DistanceProblem distance_question(const Inputs& inputs, const Values& values);
/// What a run with these inputs and values asks of a solver. Throws InputError where the image
/// cannot be read as objects or the answer does not fit into its type.
[[nodiscard]] DistanceProblem distance_problem(const Inputs& inputs, const Values& values,
                                               Context& context);
/// Throws InputError where a value of the image is no label.
[[nodiscard]] InfluenceZonesProblem influence_zones_problem(const Inputs& inputs,
                                                            const Values& values, Context& context);

/// Implementations around a solver.
[[nodiscard]] Implementation distance_implementation(std::string algorithm, Backend backend,
                                                     DistanceSolver solver,
                                                     Exactness exactness = Exactness::Exact);
[[nodiscard]] Implementation influence_zones_implementation(std::string algorithm, Backend backend,
                                                            InfluenceZonesSolver solver);

}  // namespace seedwave
