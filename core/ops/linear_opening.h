// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "core/ops/operation.h"

#include <string>

/// Builds `linear-opening` and `linear-closing` from solvers, on any backend.
namespace seedwave {

/// Returns "linear-opening" or "linear-closing".
[[nodiscard]] std::string id_of(LineFilter filter);

/// Returns the problem that a run with these inputs and values gives to a solver.
[[nodiscard]] LinearOpeningProblem linear_opening_problem(LineFilter filter, const Inputs& inputs,
                                                          const Values& values);

/// Returns an implementation that runs a solver.
[[nodiscard]] Implementation linear_opening_implementation(LineFilter filter, std::string algorithm,
                                                           Backend backend,
                                                           LinearOpeningSolver solver);

}  // namespace seedwave
