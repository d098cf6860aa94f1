// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <map>
#include <optional>

namespace seedwave {

/// How a label's voxels in a result lie to those in a reference, as counts, and the ratios made of
/// them. A ratio is empty if its denominator is zero. Dice and Jaccard are also empty if the
/// reference lacks the label: the result was not asked for it, and 0 would pull down a mean.
///
/// The names are the ids used in tables and JSON. Result and reference are not exchangeable:
/// sensitivity is the reference's share found, precision the result's share that is right.
struct Overlap {
  std::int64_t result = 0;
  std::int64_t reference = 0;
  std::int64_t both = 0;
  /// All voxels of the grid.
  std::int64_t total = 0;

  /// 2 |A and B| / (|A| + |B|); empty if the reference lacks the label.
  [[nodiscard]] std::optional<double> dice() const;
  /// |A and B| / |A or B|; empty if the reference lacks the label.
  [[nodiscard]] std::optional<double> jaccard() const;
  /// |A and B| / |reference|.
  [[nodiscard]] std::optional<double> sensitivity() const;
  /// |A and B| / |result|.
  [[nodiscard]] std::optional<double> precision() const;
  /// False positives over all voxels that the reference does not have.
  [[nodiscard]] std::optional<double> false_positive_rate() const;
  /// 1 - ||A| - |B|| / (|A| + |B|), in 0..1.
  [[nodiscard]] std::optional<double> volume_similarity() const;
  /// 2 (|A| - |B|) / (|A| + |B|), positive where the result is larger (as in ITK).
  [[nodiscard]] std::optional<double> volume_difference_signed() const;
};

/// The overlap of all that is labelled, whatever its number: for objects that result and reference
/// number each in its own way. Both of the same size.
[[nodiscard]] Overlap foreground_overlap(const LabelMap& result, const LabelMap& reference);

/// The overlaps of all labels, kept up to date while a result changes box by box.
///
/// Not thread-safe; counting uses the context's threads.
class OverlapCounts {
 public:
  /// Nothing counted: no label, no voxel.
  OverlapCounts() = default;
  /// Counts two maps of the same size. Cost: one pass over both at the speed of memory, ragged
  /// borders or not, while any 1,024 voxels in a row have at most four labels. Throws Cancelled.
  OverlapCounts(const LabelMap& result, const LabelMap& reference, Context& context);

  /// Takes `after` in the place of `before` as the result, which differ at most inside `box`.
  /// Cost: the box. All on the reference's grid.
  void replace(const LabelMap& before, const LabelMap& after, const LabelMap& reference,
               const Box& box);

  /// The labels that result or reference have, background left out.
  [[nodiscard]] std::map<std::uint16_t, Overlap> labels() const;
  /// The Dice of each label of the reference: 0 where the result lacks it.
  [[nodiscard]] std::map<std::uint16_t, double> dice() const;

 private:
  /// By label; the background's own entry is there as well.
  std::map<std::uint16_t, Overlap> counts_;
  std::int64_t total_ = 0;
};

}  // namespace seedwave
