// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/granulometry.h"
#include "core/morphology/linear/linear_opening.h"
#include "core/morphology/linear/orientation.h"
#include "core/ops/operation.h"

#include <string>

/// Builds `linear-opening`, `linear-closing`, `orientation`, `angular-spectrum`, `granulometry` and
/// `deskew` from solvers, on any backend.
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

/// Returns the problem that a run with these inputs and values gives to a solver.
[[nodiscard]] LineFanProblem orientation_problem(const Inputs& inputs, const Values& values);
/// Throws UsageError if `to` does not lie above `from`.
[[nodiscard]] LineFanProblem angular_spectrum_problem(const Inputs& inputs, const Values& values);
[[nodiscard]] GranulometryProblem granulometry_problem(const Inputs& inputs, const Values& values);
[[nodiscard]] LineFanProblem deskew_problem(const Inputs& inputs, const Values& values);

/// Returns an implementation that runs a solver.
[[nodiscard]] Implementation orientation_implementation(std::string algorithm, Backend backend,
                                                        OrientationSolver solver);
[[nodiscard]] Implementation angular_spectrum_implementation(std::string algorithm, Backend backend,
                                                             AngularSpectrumSolver solver);
[[nodiscard]] Implementation granulometry_implementation(std::string algorithm, Backend backend,
                                                         GranulometrySolver solver);
[[nodiscard]] Implementation deskew_implementation(std::string algorithm, Backend backend,
                                                   AngularSpectrumSolver solver);

}  // namespace seedwave
