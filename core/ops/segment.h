// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/refine_border.h"
#include "core/fuzzy/problem.h"
#include "core/morphology/clean_labels.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Builds `segment` and the two operations that finish a segmentation from solvers, on any backend.
namespace seedwave {

using BorderSolver =
    std::function<LabelMap(const border::RefineBorderProblem& problem, Context& context)>;
using CleaningSolver = std::function<LabelMap(const CleanLabelsProblem& problem, Context& context)>;

/// Connectedness of one label, against all others as one.
struct LabelConnectedness {
  Label label = 0;
  fuzzy::Problem problem;
};

/// All steps of a segmentation of which every value is known. The problems lack the labels: each
/// step reads those of the step before.
struct SegmentSteps {
  /// One for each described label. With several, a voxel that some of them win for their label
  /// belongs to the strongest, of equal ones to the first; one that others win in some, to the
  /// background. Seeds (those of `border`) keep their label.
  std::vector<LabelConnectedness> connectedness;
  Label background = 0;
  CleanLabelsProblem seeded_parts;
  border::RefineBorderProblem border;
  CleanLabelsProblem cleaning;
  /// Voxels outside get 0 at last. Empty: none do.
  LabelMap mask{};
};
struct Segmented {
  LabelMap labels;
  std::vector<std::uint16_t> strength;
};

/// The solvers of the three steps.
struct SegmentSolvers {
  fuzzy::Solver connectedness;
  BorderSolver border;
  CleaningSolver cleaning;
  /// Runs all steps at once, or returns nothing if it cannot. If not set, each runs by itself.
  std::function<std::optional<Segmented>(const SegmentSteps& steps, Context& context)> at_once{};
};

/// Returns implementations that run solvers.
[[nodiscard]] Implementation refine_border_implementation(std::string algorithm, Backend backend,
                                                          BorderSolver solver);
[[nodiscard]] Implementation clean_labels_implementation(std::string algorithm, Backend backend,
                                                         CleaningSolver solver);
[[nodiscard]] Implementation segment_implementation(std::string algorithm, Backend backend,
                                                    SegmentSolvers solvers);

}  // namespace seedwave
