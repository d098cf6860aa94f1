// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_counts.h"
#include "core/image/label_map.h"
#include "core/metrics/object_scores.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave {

/// An object of the result and one of the reference that share voxels, by their place among the
/// objects of their map.
struct SharedVoxels {
  std::size_t result = 0;
  std::size_t reference = 0;
  /// Intersection and union.
  Fraction iou;
};

/// The objects of two maps and their overlaps, in ascending order of the result's objects.
struct OverlappingObjects {
  LabelCounts found;
  LabelCounts reference;
  std::vector<SharedVoxels> shared;
};

/// Throws InputError if the sizes differ, and Cancelled.
[[nodiscard]] OverlappingObjects overlapping_objects(const LabelMap& result,
                                                     const LabelMap& reference, Context& context);

/// Returns their scores, as object_scores() of the maps does. `voxels`: number of all voxels of a
/// map. Throws Cancelled.
[[nodiscard]] ObjectScores object_scores(const OverlappingObjects& objects, const Fraction& limit,
                                         std::int64_t voxels, Context& context);

}  // namespace seedwave
