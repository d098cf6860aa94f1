// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed.h"
#include "core/ops/operation.h"

#include <string>

/// How the watershed is made from solvers, on any backend.
namespace seedwave {

/// What a run asks of a solver: the markers are those of the marker image, with the seeds over
/// them. Throws InputError where neither has any, or the marker image holds what is no label;
/// Cancelled.
[[nodiscard]] WatershedProblem watershed_problem(const Inputs& inputs, const Values& values,
                                                 Context& context);

/// An implementation around a solver: set up, solve, and where asked draw the lines.
[[nodiscard]] Implementation watershed_implementation(std::string algorithm, Backend backend,
                                                      WatershedSolver solver);

}  // namespace seedwave
