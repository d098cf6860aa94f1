// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/refine_border.h"
#include "core/fuzzy/problem.h"
#include "core/morphology/clean_labels.h"
#include "core/ops/operation.h"

#include <functional>
#include <string>

/// Builds `segment` and the two operations that finish a segmentation from solvers, on any backend.
namespace seedwave {

using BorderSolver =
    std::function<LabelMap(const border::RefineBorderProblem& problem, Context& context)>;
using CleaningSolver = std::function<LabelMap(const CleanLabelsProblem& problem, Context& context)>;

/// The solvers of the three steps.
struct SegmentSolvers {
  fuzzy::Solver connectedness;
  BorderSolver border;
  CleaningSolver cleaning;
};

/// Returns implementations that run solvers.
[[nodiscard]] Implementation refine_border_implementation(std::string algorithm, Backend backend,
                                                          BorderSolver solver);
[[nodiscard]] Implementation clean_labels_implementation(std::string algorithm, Backend backend,
                                                         CleaningSolver solver);
[[nodiscard]] Implementation segment_implementation(std::string algorithm, Backend backend,
                                                    SegmentSolvers solvers);

}  // namespace seedwave
