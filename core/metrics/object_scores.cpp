// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/object_scores.h"

#include "core/metrics/most_pairs.h"
#include "core/metrics/overlapping_objects.h"
#include "core/metrics/ratio.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace seedwave {
namespace {

/// Returns the largest number of pairs, one to one, whose IoU exceeds the limit.
std::int64_t matched_above(std::span<const SharedVoxels> shared, const Fraction& limit,
                           Context& context) {
  std::vector<PossiblePair> possible;
  for (const SharedVoxels& pair : shared) {
    if (exceeds(pair.iou, limit)) possible.push_back({pair.result, pair.reference});
  }
  return most_pairs(possible, context);
}

double sum_of_iou(std::span<const SharedVoxels> shared, const Fraction& limit) {
  double sum = 0.0;
  for (const SharedVoxels& pair : shared) {
    if (exceeds(pair.iou, limit))
      sum += static_cast<double>(pair.iou.above) / static_cast<double>(pair.iou.below);
  }
  return sum;
}

/// Returns the number of objects, of `count`, that at least two objects of the other map lie in.
/// `sizes` are those of the other map's objects, `inner` their place, `outer` that of the first.
std::int64_t holding_several(std::span<const SharedVoxels> shared, const LabelCounts& sizes,
                             std::size_t SharedVoxels::*inner, std::size_t SharedVoxels::*outer,
                             std::size_t count) {
  std::vector<std::int64_t> held(count);
  for (const SharedVoxels& pair : shared) {
    if (2 * pair.iou.above > sizes.begin()[pair.*inner].second) ++held[pair.*outer];
  }
  return std::ranges::count_if(held, [](std::int64_t several) { return several >= 2; });
}

std::int64_t sum_of_sizes(const LabelCounts& sizes) {
  return std::accumulate(
      sizes.begin(), sizes.end(), std::int64_t{0},
      [](std::int64_t sum, const LabelCounts::value_type& size) { return sum + size.second; });
}

/// Adds up the intersections and unions of the aggregated Jaccard index.
void aggregate(const OverlappingObjects& objects, ObjectScores& scores) {
  std::vector<const SharedVoxels*> best(objects.reference.size());
  for (const SharedVoxels& pair : objects.shared) {
    const SharedVoxels*& other = best[pair.reference];
    if (other == nullptr || exceeds(pair.iou, other->iou)) other = &pair;
  }
  std::vector<bool> is_taken(objects.found.size());
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (best[i] == nullptr) {
      scores.aji_either += objects.reference.begin()[i].second;
      continue;
    }
    scores.aji_both += best[i]->iou.above;
    scores.aji_either += best[i]->iou.below;
    is_taken[best[i]->result] = true;
  }
  for (std::size_t i = 0; i < is_taken.size(); ++i) {
    if (!is_taken[i]) scores.aji_either += objects.found.begin()[i].second;
  }
}

Overlap foreground_of(const OverlappingObjects& objects, std::int64_t voxels) {
  Overlap overlap{.result = sum_of_sizes(objects.found),
                  .reference = sum_of_sizes(objects.reference),
                  .both = 0,
                  .total = voxels};
  for (const SharedVoxels& pair : objects.shared)
    overlap.both += pair.iou.above;
  return overlap;
}

}  // namespace

bool exceeds(const Fraction& a, const Fraction& b) noexcept {
  // Products of two numbers of voxels may exceed 64 bits.
  __extension__ using Wide = __int128;
  return Wide{a.above} * b.below > Wide{b.above} * a.below;
}

std::optional<double> ObjectScores::precision() const {
  return ratio(matched, found);
}

std::optional<double> ObjectScores::recall() const {
  return ratio(matched, reference);
}

std::optional<double> ObjectScores::f1() const {
  return ratio(2 * matched, found + reference);
}

std::array<std::optional<double>, kIouLimits> ObjectScores::f1_by_iou() const {
  std::array<std::optional<double>, kIouLimits> all;
  std::ranges::transform(matched_by_iou, all.begin(), [&](std::int64_t above_limit) {
    return ratio(2 * above_limit, found + reference);
  });
  return all;
}

std::optional<double> ObjectScores::f1_mean() const {
  const std::int64_t sum =
      std::accumulate(matched_by_iou.begin(), matched_by_iou.end(), std::int64_t{0});
  return ratio(2 * sum, static_cast<std::int64_t>(kIouLimits) * (found + reference));
}

std::optional<double> ObjectScores::pq() const {
  if (found + reference == 0) return {};
  return 2.0 * iou_sum / static_cast<double>(found + reference);
}

std::optional<double> ObjectScores::aji() const {
  return ratio(aji_both, aji_either);
}

ObjectScores object_scores(const LabelMap& result, const LabelMap& reference, const Fraction& limit,
                           Context& context) {
  return object_scores(overlapping_objects(result, reference, context), limit,
                       result.geometry().voxel_count(), context);
}

ObjectScores object_scores(const OverlappingObjects& objects, const Fraction& limit,
                           std::int64_t voxels, Context& context) {
  context.checkpoint(1.0);
  ObjectScores scores;
  scores.found = std::ssize(objects.found);
  scores.reference = std::ssize(objects.reference);
  scores.matched = matched_above(objects.shared, limit, context);
  for (std::size_t i = 0; i < kIouLimits; ++i) {
    const Fraction each{10 + static_cast<std::int64_t>(i), 20};
    scores.matched_by_iou[i] = matched_above(objects.shared, each, context);
  }
  scores.iou_sum = sum_of_iou(objects.shared, {1, 2});
  scores.split = holding_several(objects.shared, objects.found, &SharedVoxels::result,
                                 &SharedVoxels::reference, objects.reference.size());
  scores.merged = holding_several(objects.shared, objects.reference, &SharedVoxels::reference,
                                  &SharedVoxels::result, objects.found.size());
  aggregate(objects, scores);
  scores.foreground = foreground_of(objects, voxels);
  return scores;
}

}  // namespace seedwave
