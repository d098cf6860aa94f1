// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/metrics/object_scores.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

/// The scores of objects by their definitions, written as sets of voxels.
namespace seedwave::test {

using Voxels = std::set<std::size_t>;
/// The voxels of each object, in ascending order of the labels.
using ObjectSets = std::vector<Voxels>;

inline std::int64_t both(const Voxels& a, const Voxels& b) {
  return std::count_if(a.begin(), a.end(), [&](std::size_t voxel) { return b.contains(voxel); });
}

inline std::int64_t either(const Voxels& a, const Voxels& b) {
  Voxels joined = a;
  joined.insert(b.begin(), b.end());
  return std::ssize(joined);
}

/// Returns IoU > above / below for small sets.
inline bool may_match(const Voxels& a, const Voxels& b, const Fraction& limit) {
  return both(a, b) * limit.below > limit.above * either(a, b);
}

/// Returns the largest number of pairs by trying every choice for each object from `at` on.
inline int most_matched(const ObjectSets& result, const ObjectSets& reference,
                        const Fraction& limit, std::size_t at, std::set<std::size_t>& used) {
  if (at == result.size()) return 0;
  int most = most_matched(result, reference, limit, at + 1, used);
  for (std::size_t other = 0; other < reference.size(); ++other) {
    if (used.contains(other) || !may_match(result[at], reference[other], limit)) continue;
    used.insert(other);
    most = std::max(most, 1 + most_matched(result, reference, limit, at + 1, used));
    used.erase(other);
  }
  return most;
}

inline int most_matched(const ObjectSets& result, const ObjectSets& reference,
                        const Fraction& limit) {
  std::set<std::size_t> used;
  return most_matched(result, reference, limit, 0, used);
}

/// Returns how many of the outer objects hold more than half of two or more inner ones.
inline int holding_two(const ObjectSets& outer, const ObjectSets& inner) {
  int count = 0;
  for (const Voxels& large : outer) {
    int held = 0;
    for (const Voxels& small : inner)
      held += 2 * both(small, large) > std::ssize(small) ? 1 : 0;
    count += held >= 2 ? 1 : 0;
  }
  return count;
}

/// Returns the intersection and union of the aggregated Jaccard index.
inline std::pair<std::int64_t, std::int64_t> aggregated(const ObjectSets& result,
                                                        const ObjectSets& reference) {
  std::int64_t intersections = 0;
  std::int64_t unions = 0;
  std::set<std::size_t> taken;
  for (const Voxels& object : reference) {
    std::size_t best = 0;
    Fraction best_iou{0, 1};
    for (std::size_t other = 0; other < result.size(); ++other) {
      if (!may_match(result[other], object, best_iou)) continue;
      best = other;
      best_iou = {both(result[other], object), either(result[other], object)};
    }
    if (best_iou.above > 0) taken.insert(best);
    intersections += best_iou.above;
    unions += best_iou.above > 0 ? best_iou.below : std::ssize(object);
  }
  for (std::size_t other = 0; other < result.size(); ++other)
    unions += taken.contains(other) ? 0 : std::ssize(result[other]);
  return {intersections, unions};
}

inline double sum_of_iou_above_half(const ObjectSets& result, const ObjectSets& reference) {
  double sum = 0.0;
  for (const Voxels& a : result) {
    for (const Voxels& b : reference) {
      if (may_match(a, b, {1, 2}))
        sum += static_cast<double>(both(a, b)) / static_cast<double>(either(a, b));
    }
  }
  return sum;
}

/// Returns whether all scores are those of the definitions.
inline bool are_as_defined(const ObjectScores& scores, const ObjectSets& result,
                           const ObjectSets& reference, const Fraction& limit) {
  const auto [aji_both, aji_either] = aggregated(result, reference);
  bool is_equal = scores.reference == std::ssize(reference) && scores.found == std::ssize(result) &&
                  scores.matched == most_matched(result, reference, limit) &&
                  scores.split == holding_two(reference, result) &&
                  scores.merged == holding_two(result, reference) && scores.aji_both == aji_both &&
                  scores.aji_either == aji_either &&
                  std::abs(scores.iou_sum - sum_of_iou_above_half(result, reference)) < 1e-12;
  for (std::size_t i = 0; i < kIouLimits; ++i) {
    const Fraction each{50 + 5 * static_cast<std::int64_t>(i), 100};
    is_equal &= scores.matched_by_iou[i] == most_matched(result, reference, each);
  }
  return is_equal;
}

}  // namespace seedwave::test
