// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <map>
#include <optional>

namespace seedwave {

/// The overlap of a label's voxels in a result and a reference, as counts, and ratios of them. A
/// ratio is empty if its denominator is zero. Dice and Jaccard are also empty if the reference
/// lacks the label: the result was not meant to have it, and 0 would lower a mean.
///
/// The names are the ids used in tables and JSON. Result and reference are not interchangeable:
/// sensitivity is the share of the reference that was found, precision the share of the result that
/// is right.
struct Overlap {
  std::int64_t result = 0;
  std::int64_t reference = 0;
  std::int64_t both = 0;
  /// Number of all voxels of the grid.
  std::int64_t total = 0;

  /// 2 |A and B| / (|A| + |B|); empty if the reference lacks the label.
  [[nodiscard]] std::optional<double> dice() const;
  /// |A and B| / |A or B|; empty if the reference lacks the label.
  [[nodiscard]] std::optional<double> jaccard() const;
  /// |A and B| / |reference|.
  [[nodiscard]] std::optional<double> sensitivity() const;
  /// |A and B| / |result|.
  [[nodiscard]] std::optional<double> precision() const;
  /// Number of false positives divided by all voxels that the reference does not have.
  [[nodiscard]] std::optional<double> false_positive_rate() const;
  /// 1 - ||A| - |B|| / (|A| + |B|), in 0..1.
  [[nodiscard]] std::optional<double> volume_similarity() const;
  /// 2 (|A| - |B|) / (|A| + |B|), positive if the result is larger (as in ITK).
  [[nodiscard]] std::optional<double> volume_difference_signed() const;
};

/// Returns the overlap of all labelled voxels, whatever their numbers: for objects that result and
/// reference number differently. Both maps have the same size.
[[nodiscard]] Overlap foreground_overlap(const LabelMap& result, const LabelMap& reference);

/// The overlaps of all labels, updated while a result changes box by box.
///
/// Not thread-safe; counting uses the context's threads.
class OverlapCounts {
 public:
  /// Constructs empty counts: no label, no voxel.
  OverlapCounts() = default;
  /// Counts two maps of the same size. Cost: one pass over both at memory speed, even with ragged
  /// boundaries, while any 1,024 consecutive voxels have at most four labels. Throws Cancelled.
  OverlapCounts(const LabelMap& result, const LabelMap& reference, Context& context);

  /// Replaces `before` by `after` as the result; they may differ only inside `box`. Cost: the box.
  /// All maps are on the reference's grid.
  void replace(const LabelMap& before, const LabelMap& after, const LabelMap& reference,
               const Box& box);

  /// Returns the labels that result or reference have, without background.
  [[nodiscard]] std::map<Label, Overlap> labels() const;
  /// Returns the Dice of each label of the reference: 0 if the result lacks it.
  [[nodiscard]] std::map<Label, double> dice() const;

 private:
  /// Keyed by label, with an entry for the background.
  std::map<Label, Overlap> counts_;
  std::int64_t total_ = 0;
};

}  // namespace seedwave
