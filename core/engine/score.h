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

/// Returns the Dice of each label in either map, and of the foreground; if they
/// look_like_objects(), the scores of objects too. Both are on the same grid.
[[nodiscard]] Score score_against(const LabelMap& reference, Scored scored, const LabelMap& labels,
                                  Context& context);

/// Returns the meaningful part of a score. For painted labels: the Dice of those that the reference
/// has (a background that it lacks is not an error). For others: the Dice by label if both have the
/// same few labels. Otherwise the numbers are unrelated: the foreground counts, and objects if
/// there are any.
///
/// score: as returned by score_against().
[[nodiscard]] Score scored(const LabelOrigin& origin, const Step& step, const Score& score,
                           const std::set<Label>& reference_ids);

}  // namespace seedwave
