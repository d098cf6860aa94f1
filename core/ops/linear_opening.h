// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "core/ops/operation.h"

#include <string>

/// How `linear-opening` and `linear-closing` are made from solvers, on any backend.
namespace seedwave {

/// "linear-opening", "linear-closing".
[[nodiscard]] std::string id_of(LineFilter filter);

/// What a run with these inputs and values asks of a solver.
[[nodiscard]] LinearOpeningProblem linear_opening_problem(LineFilter filter, const Inputs& inputs,
                                                          const Values& values);

/// An implementation around a solver.
[[nodiscard]] Implementation linear_opening_implementation(LineFilter filter, std::string algorithm,
                                                           Backend backend,
                                                           LinearOpeningSolver solver);

}  // namespace seedwave
