// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_map.h"

#include "core/image/same_size.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace seedwave {
namespace {

/// Counts labels in blocks. A block mostly holds the few labels of the blocks before, which are
/// counted by comparing whole vectors. Counting label by label would wait for each previous sum.
class LabelCounter {
 public:
  void add(std::span<const std::uint16_t> labels) {
    for (std::size_t begin = 0; begin < labels.size(); begin += kBlock) {
      const auto block = labels.subspan(begin, std::min(kBlock, labels.size() - begin));
      if (!add_recent(block)) add_each(block);
    }
  }
  [[nodiscard]] const std::vector<std::int64_t>& counts() const { return counts_; }

 private:
  /// Fits the L1 cache over the few passes, and its sums fit 16 bits.
  static constexpr std::size_t kBlock = 1024;
  static constexpr std::size_t kRecent = 4;

  static std::uint16_t count(std::span<const std::uint16_t> block, std::uint16_t label) {
    std::uint16_t sum = 0;
    for (const std::uint16_t other : block)
      sum = static_cast<std::uint16_t>(sum + static_cast<int>(other == label));
    return sum;
  }
  /// Returns false, and adds nothing, if the block has labels other than the recent ones.
  bool add_recent(std::span<const std::uint16_t> block) {
    if (!is_recent(block.front()) || !is_recent(block.back())) return false;
    std::array<std::uint16_t, kRecent> sums{};
    std::size_t left = block.size();
    for (std::size_t i = 0; i < kRecent && left > 0; ++i) {
      sums[i] = count(block, recent_[i]);
      left -= sums[i];
    }
    if (left > 0) return false;
    for (std::size_t i = 0; i < kRecent; ++i)
      counts_[recent_[i]] += sums[i];
    return true;
  }
  [[nodiscard]] bool is_recent(std::uint16_t label) const {
    return std::find(recent_.begin(), recent_.end(), label) != recent_.end();
  }
  /// Adds the block run by run.
  void add_each(std::span<const std::uint16_t> block) {
    for (std::size_t begin = 0; begin < block.size();) {
      const std::uint16_t label = block[begin];
      std::size_t end = begin + 1;
      while (end < block.size() && block[end] == label)
        ++end;
      counts_[label] += static_cast<std::int64_t>(end - begin);
      begin = end;
      if (is_recent(label)) continue;
      recent_[next_] = label;
      next_ = (next_ + 1) % kRecent;
    }
  }

  std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(1 << 16);
  /// Holds distinct labels.
  std::array<std::uint16_t, kRecent> recent_{0, 1, 2, 3};
  std::size_t next_ = 0;
};

}  // namespace

Box changed_box(const LabelMap& before, const LabelMap& after) {
  check_same_size(before.geometry(), after.geometry(), "the labels before and after");
  const Index3& size = after.geometry().size;
  const auto width = static_cast<std::size_t>(size[0]);
  Box box;
  bool any = false;
  for (std::int64_t z = 0; z < size[2]; ++z) {
    for (std::int64_t y = 0; y < size[1]; ++y) {
      const auto row = static_cast<std::size_t>(after.geometry().offset({0, y, z}));
      const auto old_row = before.labels().subspan(row, width);
      const auto new_row = after.labels().subspan(row, width);
      // Most rows are equal and are compared as bytes.
      if (std::equal(old_row.begin(), old_row.end(), new_row.begin())) continue;
      const auto first = std::mismatch(old_row.begin(), old_row.end(), new_row.begin());
      const auto last = std::mismatch(old_row.rbegin(), old_row.rend(), new_row.rbegin());
      const std::int64_t lo = first.first - old_row.begin();
      const std::int64_t hi = old_row.rend() - last.first;
      if (!any) box = {{lo, y, z}, {hi, y + 1, z + 1}};
      any = true;
      box.include({lo, y, z});
      box.include({hi - 1, y, z});
    }
  }
  return box;
}

std::map<std::uint16_t, std::int64_t> count_labels(const LabelMap& map) {
  LabelCounter counter;
  counter.add(map.labels());
  const std::vector<std::int64_t>& counts = counter.counts();
  std::map<std::uint16_t, std::int64_t> present;
  for (std::size_t label = 1; label < counts.size(); ++label) {
    if (counts[label] != 0) present.emplace(static_cast<std::uint16_t>(label), counts[label]);
  }
  return present;
}

LabelMap mask_as_label_1(const LabelMap& map) {
  constexpr std::uint16_t kInside[] = {255, 65535};
  if (map.empty()) return map;
  std::uint16_t inside = 0;
  for (const std::uint16_t label : map.labels()) {
    if (label == 0 || label == inside) continue;
    const bool first = inside == 0 && (label == kInside[0] || label == kInside[1]);
    if (!first) return map;
    inside = label;
  }
  if (inside == 0) return map;
  std::vector<std::uint16_t> labels;
  labels.reserve(map.labels().size());
  for (const std::uint16_t label : map.labels())
    labels.push_back(label == 0 ? 0 : 1);
  return {map.geometry(), std::move(labels), map.changed()};
}

}  // namespace seedwave
