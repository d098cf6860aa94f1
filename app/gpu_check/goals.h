// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/checks.h"
#include "core/ops/operation_table.h"

#include <functional>
#include <string>
#include <vector>

/// The goals of the CUDA side in one table: each job on its input, what it takes on this device,
/// what it should take on an H200, and the papers' own algorithms on the same input in the same
/// call.
namespace seedwave::gpu_check {

struct GoalOptions {
  int device = 0;
  int repeats = 5;
  std::vector<std::string> only;  // names; empty: all
  /// Quick: small inputs, for which the goals say nothing, to see that it works.
  enum class Extent { Full, Quick };
  Extent extent = Extent::Full;
};
[[nodiscard]] inline bool is_quick(const GoalOptions& options) {
  return options.extent == GoalOptions::Extent::Quick;
}

/// Some rows of the table.
struct GoalGroup {
  std::string name;
  std::function<Report(const OperationTable&, const GoalOptions&)> run;
};
/// All, in order. A goal that is missed is no failure; a result that does not equal the CPU's is.
[[nodiscard]] std::vector<GoalGroup> goal_groups();

}  // namespace seedwave::gpu_check
