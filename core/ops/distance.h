// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance.h"
#include "core/ops/operation.h"

#include <string>

/// Builds `distance` and `influence-zones` from solvers, on any backend.
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
[[nodiscard]] Implementation influence_zones_implementation(std::string algorithm, Backend backend,
                                                            InfluenceZonesSolver solver);

}  // namespace seedwave
