// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed.h"

#include <cstdint>
#include <optional>
#include <vector>

/// Code shared by the solvers of a watershed.
namespace seedwave::watershed {

/// Throws as described for WatershedSolver.
void check(const WatershedProblem& problem);

/// Returns the markers inside the mask, 0 elsewhere.
[[nodiscard]] WatershedLabels inner_markers(const WatershedProblem& problem);

/// Converts labels 1 .. to those of BasinRule, which start at 0, and back, by adding 0xFFFF or 1.
/// Throws Cancelled.
void add_to_each(std::uint16_t value, WatershedLabels& labels, Context& context);

[[nodiscard]] inline bool is_masked_out(const WatershedProblem& problem, std::int64_t cell) {
  return !problem.mask.empty() && problem.mask.labels()[cell] == 0;
}

/// Computes watershed_by_tiles() with 4 or 8 neighbours: hops and labels through gates, with vector
/// code. Returns nothing if a plateau has more hops than 16 bits hold.
[[nodiscard]] std::optional<WatershedLabels> labels_in_planes(const WatershedProblem& problem,
                                                              Context& context);

/// Runs watershed_by_tiles() within the context's memory limit.
[[nodiscard]] WatershedLabels labels_in_slabs(const WatershedProblem& problem, Context& context);

}  // namespace seedwave::watershed
