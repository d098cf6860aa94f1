// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/metrics/overlap.h"
#include "core/metrics/scored.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <map>

/// Results that cannot be compared with a reference directly: their labels are numbered
/// differently, or the reference does not label much of the image.
namespace seedwave {

inline constexpr std::int64_t kMostMatched = 1000;

/// Matches labels of the result to labels of the reference one to one so that the sum of the Dice
/// of the pairs is largest (H. W. Kuhn, Nav. Res. Logist. Q. 2:83-97, 1955). Labels without common
/// voxels are not paired. Background stays background.
///
/// Both maps have the same size. Throws InputError if either has more than kMostMatched labels, and
/// Cancelled.
[[nodiscard]] std::map<Label, Label> match_labels(const LabelMap& result, const LabelMap& reference,
                                                  Context& context);

/// Returns the result with the reference's numbers. Unmatched labels get the smallest numbers that
/// the reference does not have. Throws Cancelled.
[[nodiscard]] LabelMap renumbered(const LabelMap& result, const LabelMap& reference,
                                  const std::map<Label, Label>& matches, Context& context);

/// Fewer labels than this are never taken for numbered objects.
inline constexpr std::size_t kFewestObjects = 5;

/// Returns true if the labels look like objects that result and reference number differently: both
/// have at least kFewestObjects labels, and the mean Dice of the reference's labels is below a
/// quarter of the Dice of all labelled voxels together. `labels` as OverlapCounts::labels() returns
/// them, `foreground` as foreground_overlap() does.
[[nodiscard]] bool look_like_objects(const std::map<Label, Overlap>& labels,
                                     const Overlap& foreground);

/// Returns the part of a result that is compared with a reference: all of it, or its voxels where
/// the reference has a label, with background elsewhere. Both maps have the same size. Throws
/// Cancelled.
[[nodiscard]] LabelMap compared_part(const LabelMap& result, const LabelMap& reference,
                                     Scored scored, Context& context);

}  // namespace seedwave
