// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "research/gpu_check/checks.h"

#include <functional>
#include <string>
#include <vector>

/// The goals of the CUDA side in one table. Each row has a job on its input, its time on this
/// device and its goal on an H200. It also has the time of the papers' algorithms on the same input
/// in the same call.
namespace seedwave::gpu_check {

struct GoalOptions {
  int device = 0;
  int repeats = 5;
  std::vector<std::string> only;  // names; empty: all
  /// Quick: small inputs, to verify that it works; the goals do not apply to them.
  enum class Extent { Full, Quick };
  Extent extent = Extent::Full;
};
[[nodiscard]] inline bool is_quick(const GoalOptions& options) {
  return options.extent == GoalOptions::Extent::Quick;
}

/// A group of rows of the table.
struct GoalGroup {
  std::string name;
  std::function<Report(const OperationTable&, const GoalOptions&)> run;
};
/// Returns all groups, in order. A missed goal is no failure; a result that differs from the CPU's
/// is.
[[nodiscard]] std::vector<GoalGroup> goal_groups();

/// Times openings by lines: of an image of 40 Mpx at several angles and lengths.
[[nodiscard]] Report line_rows(const OperationTable& table, const GoalOptions& options);

/// Times two-point correlations of an image of phases: windows of 32, 64 and 128, with 2 and 8
/// phases.
[[nodiscard]] Report texture_rows(const OperationTable& table, const GoalOptions& options);

/// Times the further strokes of `segment` with given values, beside `irfc` alone: from strokes to
/// labels on the host. Stages have rows of their own.
[[nodiscard]] Report segment_rows(const OperationTable& table, const GoalOptions& options);

}  // namespace seedwave::gpu_check
