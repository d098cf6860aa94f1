// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/label_origin.h"
#include "core/engine/run_history.h"
#include "core/image/label_map.h"
#include "core/metrics/scored.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace seedwave {

/// The agreement of a result with a reference: the Dice of each label, or that of the foreground.
struct Score {
  std::map<std::uint16_t, double> labels;
  std::optional<double> foreground;
};

/// The Dice of each label that either has, and of all that is labelled. Both on the same grid.
[[nodiscard]] Score score_against(const LabelMap& reference, Scored scored, const LabelMap& labels,
                                  Context& context);

/// The part of a score that means something. Of painted labels: the Dice of those that the
/// reference has (a background that it does not know is no miss). Of others: by label where both
/// have the same few; else numbers say nothing about each other, and only the foreground counts.
///
/// score: as score_against() gives it.
[[nodiscard]] Score scored(const LabelOrigin& origin, const Run& run, const Score& score,
                           const std::set<std::uint16_t>& reference_ids);

}  // namespace seedwave
