// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_counts.h"
#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// Number of voxels that have one label in a result and one in a reference.
struct LabelPair {
  Label result = 0;
  Label reference = 0;
  std::int64_t voxels = 0;

  bool operator==(const LabelPair&) const = default;
};

/// Counts the voxels of each pair of labels in two maps of the same size. Returns the pairs that
/// occur in ascending order of the result's label, then of the reference's. Background is label 0;
/// the pair of both backgrounds is left out.
///
/// Cost: one pass over both maps on all threads, and sorting the pairs. Throws InputError if the
/// sizes differ, and Cancelled.
[[nodiscard]] std::vector<LabelPair> count_label_pairs(const LabelMap& result,
                                                       const LabelMap& reference, Context& context);

/// Returns the number of voxels of each label of one side, without background: sums over the pairs.
[[nodiscard]] LabelCounts voxels_by_label(const std::vector<LabelPair>& pairs,
                                          Label LabelPair::*side);

}  // namespace seedwave
