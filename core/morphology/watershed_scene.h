// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed.h"

#include <cstdint>
#include <vector>

/// What the solvers of a watershed have in common.
namespace seedwave::watershed {

/// Throws as WatershedSolver says.
void check(const WatershedProblem& problem);

/// The markers inside the mask, 0 elsewhere.
[[nodiscard]] WatershedLabels inner_markers(const WatershedProblem& problem);

/// Labels 1 .. as BasinRule has them, from 0 on, and back: by adding 0xFFFF or 1. Throws Cancelled.
void add_to_each(std::uint16_t value, WatershedLabels& labels, Context& context);

[[nodiscard]] inline bool is_masked_out(const WatershedProblem& problem, std::int64_t cell) {
  return !problem.mask.empty() && problem.mask.labels()[cell] == 0;
}

}  // namespace seedwave::watershed
