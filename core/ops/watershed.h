// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed.h"
#include "core/ops/operation.h"

#include <string>

/// Builds the watershed from solvers, on any backend.
namespace seedwave {

/// Returns the problem that a run gives to a solver: the markers of the marker image, overridden by
/// the seeds. Throws InputError if neither has any, or if the marker image holds values that are
/// not labels; Cancelled.
[[nodiscard]] WatershedProblem watershed_problem(const Inputs& inputs, const Values& values,
                                                 Context& context);

/// Returns an implementation that runs a solver: set up, solve, and draw the lines if requested.
[[nodiscard]] Implementation watershed_implementation(std::string algorithm, Backend backend,
                                                      WatershedSolver solver);

}  // namespace seedwave
