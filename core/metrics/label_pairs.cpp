// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/label_pairs.h"

#include "core/image/same_size.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <unordered_map>

namespace seedwave {
namespace {

/// Both labels of a pair in one number, the result's first, so that numbers sort as pairs do.
using PairKey = std::uint64_t;
using CountsByKey = std::unordered_map<PairKey, std::int64_t>;

PairKey key_of(Label result, Label reference) {
  constexpr int kBits = 32;
  return PairKey{result} << kBits | reference;
}

LabelPair pair_of(const CountsByKey::value_type& count) {
  constexpr int kBits = 32;
  return {static_cast<Label>(count.first >> kBits), static_cast<Label>(count.first), count.second};
}

/// Counts the voxels begin .. end - 1 run by run.
template <typename A, typename B>
CountsByKey count_range(A result, B reference, std::int64_t begin, std::int64_t end) {
  CountsByKey counts;
  for (std::int64_t i = begin; i < end;) {
    const std::int64_t first = i;
    while (i < end && result[i] == result[first] && reference[i] == reference[first])
      ++i;
    if (result[first] != 0 || reference[first] != 0)
      counts[key_of(result[first], reference[first])] += i - first;
  }
  return counts;
}

/// Sorts pairs, and adds up equal ones.
std::vector<LabelPair> sum_by_pair(std::vector<LabelPair> pairs) {
  const auto labels = [](const LabelPair& pair) { return std::tie(pair.result, pair.reference); };
  std::sort(pairs.begin(), pairs.end(),
            [&](const LabelPair& a, const LabelPair& b) { return labels(a) < labels(b); });
  std::vector<LabelPair> sums;
  for (const LabelPair& pair : pairs) {
    if (!sums.empty() && labels(sums.back()) == labels(pair)) {
      sums.back().voxels += pair.voxels;
    } else {
      sums.push_back(pair);
    }
  }
  return sums;
}

}  // namespace

std::vector<LabelPair> count_label_pairs(const LabelMap& result, const LabelMap& reference,
                                         Context& context) {
  check_same_size(result.geometry(), reference.geometry(), "the result and the reference");
  constexpr std::int64_t kGrain = 1 << 17;  // about 10 ms if every voxel has another pair
  const std::int64_t voxels = result.geometry().voxel_count();
  std::vector<LabelPair> pairs;
  std::mutex mutex;  // guards pairs
  parallel_for(context, voxels, kGrain, [&](std::int64_t begin, std::int64_t end) {
    context.checkpoint(static_cast<double>(begin) / static_cast<double>(voxels));
    const CountsByKey counts =
        visit_labels(result.labels(), reference.labels(),
                     [&](auto a, auto b) { return count_range(a, b, begin, end); });
    const std::lock_guard lock(mutex);
    for (const auto& count : counts)
      pairs.push_back(pair_of(count));
  });
  return sum_by_pair(std::move(pairs));
}

LabelCounts voxels_by_label(const std::vector<LabelPair>& pairs, Label LabelPair::*side) {
  std::vector<LabelCounts::value_type> counts;
  for (const LabelPair& pair : pairs) {
    if (pair.*side != 0) counts.emplace_back(pair.*side, pair.voxels);
  }
  return sum_by_label(std::move(counts));
}

}  // namespace seedwave
