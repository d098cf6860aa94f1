// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_counts.h"

#include <array>
#include <limits>
#include <span>
#include <unordered_map>

namespace seedwave {
namespace {

/// Voxels by label in a table of the labels up to a largest.
class CountTable {
 public:
  explicit CountTable(Label most) : counts_(std::size_t{most} + 1) {}
  [[nodiscard]] std::int64_t& of(Label label) { return counts_[label]; }
  [[nodiscard]] LabelCounts present() const {
    std::vector<LabelCounts::value_type> present;
    for (std::size_t label = 1; label < counts_.size(); ++label) {
      if (counts_[label] != 0) present.emplace_back(static_cast<Label>(label), counts_[label]);
    }
    return LabelCounts(std::move(present));
  }

 private:
  std::vector<std::int64_t> counts_;
};

/// The same for few labels with large numbers.
class CountMap {
 public:
  [[nodiscard]] std::int64_t& of(Label label) { return counts_[label]; }
  [[nodiscard]] LabelCounts present() const {
    std::vector<LabelCounts::value_type> present(counts_.begin(), counts_.end());
    std::erase_if(present, [](const auto& entry) { return entry.first == 0 || entry.second == 0; });
    std::sort(present.begin(), present.end());
    return LabelCounts(std::move(present));
  }

 private:
  std::unordered_map<Label, std::int64_t> counts_;
};

/// Counts labels in blocks. A block mostly holds the few labels of the blocks before, which are
/// counted by comparing whole vectors. Counting label by label would wait for each previous sum.
template <typename T, typename Counts>
class LabelCounter {
 public:
  explicit LabelCounter(Counts counts) : counts_(std::move(counts)) {}

  [[nodiscard]] LabelCounts count(std::span<const T> labels) {
    for (std::size_t begin = 0; begin < labels.size(); begin += kBlock) {
      const auto block = labels.subspan(begin, std::min(kBlock, labels.size() - begin));
      if (!add_recent(block)) add_each(block);
    }
    return counts_.present();
  }

 private:
  /// Fits the L1 cache over the few passes, and its sums fit 16 bits.
  static constexpr std::size_t kBlock = 1024;
  static constexpr std::size_t kRecent = 4;

  static std::uint16_t count_in(std::span<const T> block, T label) {
    std::uint16_t sum = 0;
    for (const T other : block)
      sum = static_cast<std::uint16_t>(sum + static_cast<int>(other == label));
    return sum;
  }
  /// Returns false, and adds nothing, if the block has labels other than the recent ones.
  bool add_recent(std::span<const T> block) {
    if (!is_recent(block.front()) || !is_recent(block.back())) return false;
    std::array<std::uint16_t, kRecent> sums{};
    std::size_t left = block.size();
    for (std::size_t i = 0; i < kRecent && left > 0; ++i) {
      sums[i] = count_in(block, recent_[i]);
      left -= sums[i];
    }
    if (left > 0) return false;
    for (std::size_t i = 0; i < kRecent; ++i) {
      if (sums[i] != 0) counts_.of(recent_[i]) += sums[i];
    }
    return true;
  }
  [[nodiscard]] bool is_recent(T label) const {
    return std::find(recent_.begin(), recent_.end(), label) != recent_.end();
  }
  /// Adds the block run by run.
  void add_each(std::span<const T> block) {
    for (std::size_t begin = 0; begin < block.size();) {
      const T label = block[begin];
      std::size_t end = begin + 1;
      while (end < block.size() && block[end] == label)
        ++end;
      counts_.of(label) += static_cast<std::int64_t>(end - begin);
      begin = end;
      if (is_recent(label)) continue;
      recent_[next_] = label;
      next_ = (next_ + 1) % kRecent;
    }
  }

  Counts counts_;
  /// Holds distinct labels.
  std::array<T, kRecent> recent_{0, 1, 2, 3};
  std::size_t next_ = 0;
};

}  // namespace

const LabelCounts::value_type* LabelCounts::find(Label label) const noexcept {
  const value_type* found = std::lower_bound(
      begin(), end(), label, [](const value_type& entry, Label l) { return entry.first < l; });
  return found != end() && found->first == label ? found : end();
}

LabelCounts sum_by_label(std::vector<LabelCounts::value_type> counts) {
  std::sort(counts.begin(), counts.end());
  std::size_t last = 0;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (counts[i].first == counts[last].first) {
      counts[last].second += counts[i].second;
    } else {
      counts[++last] = counts[i];
    }
  }
  if (!counts.empty()) counts.resize(last + 1);
  return LabelCounts(std::move(counts));
}

LabelCounts count_labels(const LabelMap& map) {
  return visit_labels(map.labels(), [&]<typename T>(std::span<const T> labels) {
    if constexpr (sizeof(T) == 4) {
      constexpr Label kMostInTable = 1 << 24;
      const Label most = largest_label(map.labels());
      if (most > kMostInTable) return LabelCounter<T, CountMap>({}).count(labels);
      return LabelCounter<T, CountTable>(CountTable(most)).count(labels);
    } else {
      return LabelCounter<T, CountTable>(CountTable(std::numeric_limits<T>::max())).count(labels);
    }
  });
}

}  // namespace seedwave
