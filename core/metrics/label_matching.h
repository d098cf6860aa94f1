// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/metrics/overlap.h"
#include "core/metrics/scored.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <map>

/// Results that a reference cannot be compared with as they are: their labels have numbers of their
/// own, or the reference says nothing of much of the image.
namespace seedwave {

inline constexpr std::int64_t kMostMatched = 1000;

/// By label of the result which label of the reference it stands for, where nobody gave it its
/// number: one to one, so that the Dice of the pairs add up to the most (H. W. Kuhn, Nav. Res.
/// Logist. Q. 2:83-97, 1955). Labels that share no voxel are no pair. Background is background.
///
/// Both of the same size. Throws InputError where either has more than kMostMatched labels, and
/// Cancelled.
[[nodiscard]] std::map<std::uint16_t, std::uint16_t> match_labels(const LabelMap& result,
                                                                  const LabelMap& reference,
                                                                  Context& context);

/// The result with the reference's numbers. Labels that stand for none get the smallest numbers
/// that the reference does not have. Throws Cancelled.
[[nodiscard]] LabelMap renumbered(const LabelMap& result, const LabelMap& reference,
                                  const std::map<std::uint16_t, std::uint16_t>& matches,
                                  Context& context);

/// With fewer labels than this nothing is taken for numbered objects.
inline constexpr std::size_t kFewestObjects = 5;

/// Returns true if the labels look like objects that result and reference number each in its own
/// way: both have at least kFewestObjects labels, and the mean Dice of the reference's labels is
/// below a quarter of the Dice of all labelled voxels together. `labels` as OverlapCounts::labels()
/// returns them, `foreground` as foreground_overlap() does.
[[nodiscard]] bool look_like_objects(const std::map<std::uint16_t, Overlap>& labels,
                                     const Overlap& foreground);

/// What of a result is compared with a reference: all of it, or what it has where the reference has
/// a label, and background elsewhere. Both of the same size. Throws Cancelled.
[[nodiscard]] LabelMap compared_part(const LabelMap& result, const LabelMap& reference,
                                     Scored scored, Context& context);

}  // namespace seedwave
