// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/overlap.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace seedwave {
namespace {

/// How often each pair of labels (result, reference) occurs at the same voxel.
///
/// Small labels, which is what people have, are counted in a plain table.
class PairCounts {
 public:
  void add(std::uint16_t result, std::uint16_t reference, std::int64_t count) {
    if (result < kSmall && reference < kSmall) {
      small_[static_cast<std::size_t>(result) * kSmall + reference] += count;
    } else {
      large_[std::uint32_t{result} << 16 | reference] += count;
    }
  }

  template <typename Visitor>
  void visit(Visitor&& visitor) const {
    for (std::size_t i = 0; i < small_.size(); ++i) {
      if (small_[i] == 0) continue;
      visitor(static_cast<std::uint16_t>(i / kSmall), static_cast<std::uint16_t>(i % kSmall),
              small_[i]);
    }
    for (const auto& [pair, count] : large_)
      visitor(static_cast<std::uint16_t>(pair >> 16), static_cast<std::uint16_t>(pair), count);
  }

 private:
  static constexpr int kSmall = 32;
  std::vector<std::int64_t> small_ = std::vector<std::int64_t>(std::size_t{kSmall} * kSmall);
  std::unordered_map<std::uint32_t, std::int64_t> large_;
};

/// A label four times over, to compare four voxels at once.
std::uint64_t four_of(std::uint16_t label) {
  return 0x0001'0001'0001'0001ULL * label;
}

std::uint64_t load_four(const std::uint16_t* labels) {
  std::uint64_t four = 0;
  std::memcpy(&four, labels, sizeof four);
  return four;
}

/// Counts a stretch. Labels lie in pieces, so runs of equal pairs are measured four voxels at a
/// time and counted once.
void count_pairs(const std::uint16_t* result, const std::uint16_t* reference, std::int64_t count,
                 PairCounts& pairs) {
  std::int64_t i = 0;
  while (i < count) {
    const std::int64_t begin = i++;
    const std::uint64_t a = four_of(result[begin]);
    const std::uint64_t b = four_of(reference[begin]);
    while (i + 4 <= count && load_four(result + i) == a && load_four(reference + i) == b)
      i += 4;
    while (i < count && result[i] == result[begin] && reference[i] == reference[begin])
      ++i;
    pairs.add(result[begin], reference[begin], i - begin);
  }
}

std::optional<double> ratio(std::int64_t above, std::int64_t below) {
  if (below == 0) return {};
  return static_cast<double>(above) / static_cast<double>(below);
}

}  // namespace

std::optional<double> Overlap::dice() const {
  return ratio(2 * both, result + reference);
}

std::optional<double> Overlap::jaccard() const {
  return ratio(both, result + reference - both);
}

std::optional<double> Overlap::sensitivity() const {
  return ratio(both, reference);
}

std::optional<double> Overlap::precision() const {
  return ratio(both, result);
}

std::optional<double> Overlap::false_positive_rate() const {
  return ratio(result - both, total - reference);
}

std::optional<double> Overlap::volume_similarity() const {
  return ratio(result + reference - std::abs(result - reference), result + reference);
}

std::optional<double> Overlap::volume_difference_signed() const {
  return ratio(2 * (result - reference), result + reference);
}

OverlapCounts::OverlapCounts(const LabelMap& result, const LabelMap& reference, Context& context)
    : total_(result.geometry().voxel_count()) {
  assert(result.geometry().size == reference.geometry().size);
  constexpr std::int64_t kGrain = 1 << 18;  // a checkpoint well within 20 ms
  std::mutex mutex;                         // guards counts_
  parallel_for(context, total_, kGrain, [&](std::int64_t begin, std::int64_t end) {
    PairCounts pairs;
    for (std::int64_t at = begin; at < end; at += kGrain) {
      context.checkpoint(static_cast<double>(at) / static_cast<double>(total_));
      count_pairs(result.labels().data() + at, reference.labels().data() + at,
                  std::min(kGrain, end - at), pairs);
    }
    const std::lock_guard lock(mutex);
    pairs.visit([&](std::uint16_t a, std::uint16_t b, std::int64_t count) {
      counts_[a].result += count;
      counts_[b].reference += count;
      if (a == b) counts_[a].both += count;
    });
  });
}

void OverlapCounts::replace(const LabelMap& before, const LabelMap& after,
                            const LabelMap& reference, const Box& box) {
  assert(before.geometry().size == after.geometry().size);
  assert(before.geometry().size == reference.geometry().size);
  if (box.empty()) return;
  const Geometry& geometry = reference.geometry();
  PairCounts gone;
  PairCounts come;
  for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
    for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
      const std::int64_t row = geometry.offset({box.lo[0], y, z});
      const std::int64_t width = box.hi[0] - box.lo[0];
      const std::uint16_t* wanted = reference.labels().data() + row;
      count_pairs(before.labels().data() + row, wanted, width, gone);
      count_pairs(after.labels().data() + row, wanted, width, come);
    }
  }
  gone.visit([&](std::uint16_t a, std::uint16_t b, std::int64_t count) {
    counts_[a].result -= count;
    if (a == b) counts_[a].both -= count;
  });
  come.visit([&](std::uint16_t a, std::uint16_t b, std::int64_t count) {
    counts_[a].result += count;
    if (a == b) counts_[a].both += count;
  });
}

std::map<std::uint16_t, Overlap> OverlapCounts::labels() const {
  std::map<std::uint16_t, Overlap> present;
  for (const auto& [label, overlap] : counts_) {
    if (label == 0 || (overlap.result == 0 && overlap.reference == 0)) continue;
    present.emplace(label, overlap).first->second.total = total_;
  }
  return present;
}

std::map<std::uint16_t, double> OverlapCounts::dice() const {
  std::map<std::uint16_t, double> dice;
  for (const auto& [label, overlap] : labels())
    dice.emplace(label, overlap.dice().value_or(0.0));
  return dice;
}

}  // namespace seedwave
