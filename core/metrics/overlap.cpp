// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/overlap.h"

#include "core/image/label_counts.h"
#include "core/image/same_size.h"
#include "core/metrics/ratio.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace seedwave {
namespace {

/// Number of voxels of a label in the result, in the reference, and in both.
struct VoxelsOf {
  std::int64_t result = 0;
  std::int64_t reference = 0;
  std::int64_t both = 0;
};

/// Counts runs of voxels by label.
///
/// A block mostly holds the few labels of the block before. They are counted one after the other by
/// comparing whole vectors, without a branch per voxel, however ragged the labels are. Only a block
/// with other labels is processed run by run.
class Tally {
 public:
  template <typename A, typename B>
  void add(const A* result, const B* reference, std::int64_t count) {
    // Labels of two types are compared as the wider one: vectors then have one width.
    using Wide = std::conditional_t<(sizeof(A) > sizeof(B)), A, B>;
    for (std::int64_t at = 0; at < count; at += kBlock) {
      const auto here = static_cast<int>(std::min<std::int64_t>(kBlock, count - at));
      std::array<Wide, kBlock> copy;
      add_block(widened(result + at, here, copy), widened(reference + at, here, copy), here);
    }
  }

  template <typename Visitor>
  void visit(Visitor&& visitor) const {
    for (std::size_t label = 0; label < small_.size(); ++label) {
      const VoxelsOf& counts = small_[label];
      if (counts.result != 0 || counts.reference != 0) visitor(static_cast<Label>(label), counts);
    }
    for (const auto& [label, counts] : large_)
      visitor(label, counts);
  }

 private:
  /// The block of both maps fits the L1 cache over the few passes, and its sums fit 16 bits.
  static constexpr int kBlock = 1024;
  static constexpr std::size_t kSmall = 64;
  static constexpr std::size_t kRecent = 4;

  VoxelsOf& of(Label label) { return label < kSmall ? small_[label] : large_[label]; }

  /// Returns a block of labels in the wide type, copied if it has another.
  template <typename From, typename Wide>
  static const Wide* widened(const From* block, int count, std::array<Wide, kBlock>& copy) {
    if constexpr (std::is_same_v<From, Wide>) {
      return block;
    } else {
      std::copy(block, block + count, copy.begin());
      return copy.data();
    }
  }

  template <typename T>
  void add_block(const T* result, const T* reference, int count) {
    if (!add_recent(result, reference, count)) add_runs(result, reference, count);
  }

  /// Counts one label in a block. Sums have 16 bits, so that the compiler adds eight at a time.
  template <typename T>
  static VoxelsOf count(const T* result, const T* reference, int count, T label) {
    std::uint16_t in_result = 0;
    std::uint16_t in_reference = 0;
    std::uint16_t in_both = 0;
    for (int i = 0; i < count; ++i) {
      const auto a = static_cast<std::uint16_t>(result[i] == label);
      const auto b = static_cast<std::uint16_t>(reference[i] == label);
      in_result = static_cast<std::uint16_t>(in_result + a);
      in_reference = static_cast<std::uint16_t>(in_reference + b);
      in_both = static_cast<std::uint16_t>(in_both + (a & b));
    }
    return {in_result, in_reference, in_both};
  }

  /// Counts a block of recent labels. Returns false, and counts nothing, if the block has other
  /// labels.
  template <typename T>
  bool add_recent(const T* result, const T* reference, int count_here) {
    std::array<VoxelsOf, kRecent> found;
    int result_left = count_here;
    int reference_left = count_here;
    for (std::size_t k = 0; k < recent_count_; ++k) {
      found[k] = count(result, reference, count_here, static_cast<T>(recent_[k]));
      result_left -= static_cast<int>(found[k].result);
      reference_left -= static_cast<int>(found[k].reference);
      if (result_left != 0 || reference_left != 0) continue;
      for (std::size_t i = 0; i <= k; ++i) {
        VoxelsOf& counts = of(recent_[i]);
        counts.result += found[i].result;
        counts.reference += found[i].reference;
        counts.both += found[i].both;
      }
      // A label that fills most of a block likely fills the next one: it is tried first.
      if (found[k].result > count_here / 2) make_most_recent(recent_[k]);
      return true;
    }
    return false;
  }

  template <typename T>
  void add_runs(const T* result, const T* reference, int count) {
    int i = 0;
    while (i < count) {
      const int begin = i++;
      const T a = result[begin];
      const T b = reference[begin];
      while (i < count && result[i] == a && reference[i] == b)
        ++i;
      of(a).result += i - begin;
      of(b).reference += i - begin;
      if (a == b) of(a).both += i - begin;
      make_most_recent(b);
      make_most_recent(a);
    }
  }

  void make_most_recent(Label label) {
    if (recent_count_ > 0 && recent_[0] == label) return;
    const auto end = recent_.begin() + static_cast<std::ptrdiff_t>(recent_count_);
    auto place = std::find(recent_.begin(), end, label);
    if (place == recent_.end()) {
      --place;  // drops the least recently used label
    } else if (place == end) {
      ++recent_count_;
    }
    std::copy_backward(recent_.begin(), place, place + 1);
    recent_[0] = label;
  }

  std::array<Label, kRecent> recent_{};
  std::size_t recent_count_ = 0;
  std::vector<VoxelsOf> small_ = std::vector<VoxelsOf>(kSmall);
  std::unordered_map<Label, VoxelsOf> large_;
};

}  // namespace

std::optional<double> Overlap::dice() const {
  if (reference == 0) return {};
  return ratio(2 * both, result + reference);
}

std::optional<double> Overlap::jaccard() const {
  if (reference == 0) return {};
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

Overlap foreground_overlap(const LabelMap& result, const LabelMap& reference) {
  check_same_size(result.geometry(), reference.geometry(), "the result and the reference");
  Overlap overlap;
  overlap.total = result.geometry().voxel_count();
  visit_labels(result.labels(), reference.labels(), [&](auto in_result, auto in_reference) {
    for (std::size_t i = 0; i < in_result.size(); ++i) {
      const bool a = in_result[i] != 0;
      const bool b = in_reference[i] != 0;
      overlap.result += a ? 1 : 0;
      overlap.reference += b ? 1 : 0;
      overlap.both += a && b ? 1 : 0;
    }
  });
  return overlap;
}

OverlapCounts::OverlapCounts(const LabelMap& result, const LabelMap& reference, Context& context)
    : total_(result.geometry().voxel_count()) {
  check_same_size(result.geometry(), reference.geometry(), "the result and the reference");
  constexpr std::int64_t kGrain = 1 << 18;  // a checkpoint well within 20 ms
  std::mutex mutex;                         // guards counts_
  parallel_for(context, total_, kGrain, [&](std::int64_t begin, std::int64_t end) {
    Tally tally;
    visit_labels(result.labels(), reference.labels(), [&](auto in_result, auto in_reference) {
      for (std::int64_t at = begin; at < end; at += kGrain) {
        context.checkpoint(static_cast<double>(at) / static_cast<double>(total_));
        tally.add(in_result.data() + at, in_reference.data() + at, std::min(kGrain, end - at));
      }
    });
    const std::lock_guard lock(mutex);
    tally.visit([&](Label label, const VoxelsOf& counts) {
      Overlap& overlap = counts_[label];
      overlap.result += counts.result;
      overlap.reference += counts.reference;
      overlap.both += counts.both;
    });
  });
}

void OverlapCounts::replace(const LabelMap& before, const LabelMap& after,
                            const LabelMap& reference, const Box& box) {
  check_same_size(before.geometry(), after.geometry(), "the results before and after");
  check_same_size(before.geometry(), reference.geometry(), "the result and the reference");
  if (box.empty()) return;
  const Geometry& geometry = reference.geometry();
  const auto tally_of = [&](const LabelMap& map) {
    Tally tally;
    visit_labels(map.labels(), reference.labels(), [&](auto labels, auto wanted) {
      for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
        for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
          const std::int64_t row = geometry.offset({box.lo[0], y, z});
          tally.add(labels.data() + row, wanted.data() + row, box.hi[0] - box.lo[0]);
        }
      }
    });
    return tally;
  };
  const Tally gone = tally_of(before);
  const Tally come = tally_of(after);
  // The reference is the same in both.
  gone.visit([&](Label label, const VoxelsOf& counts) {
    counts_[label].result -= counts.result;
    counts_[label].both -= counts.both;
  });
  come.visit([&](Label label, const VoxelsOf& counts) {
    counts_[label].result += counts.result;
    counts_[label].both += counts.both;
  });
}

std::map<Label, Overlap> OverlapCounts::labels() const {
  std::map<Label, Overlap> present;
  for (const auto& [label, overlap] : counts_) {
    if (label == 0 || (overlap.result == 0 && overlap.reference == 0)) continue;
    present.emplace(label, overlap).first->second.total = total_;
  }
  return present;
}

std::map<Label, double> OverlapCounts::dice() const {
  std::map<Label, double> dice;
  for (const auto& [label, overlap] : labels()) {
    if (const auto score = overlap.dice()) dice.emplace(label, *score);
  }
  return dice;
}

}  // namespace seedwave
