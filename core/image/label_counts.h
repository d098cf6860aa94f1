// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave {

/// The number of voxels of each label, in ascending order of the labels. Immutable and shared:
/// there may be millions.
class LabelCounts {
 public:
  using value_type = std::pair<Label, std::int64_t>;

  LabelCounts() = default;
  LabelCounts(std::initializer_list<value_type> counts) : LabelCounts(std::vector(counts)) {}
  /// `counts` must be in ascending order, each label once.
  explicit LabelCounts(std::vector<value_type> counts)
      : counts_(std::make_shared<const std::vector<value_type>>(std::move(counts))) {}

  [[nodiscard]] std::size_t size() const noexcept { return counts_ ? counts_->size() : 0; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] const value_type* begin() const noexcept {
    return counts_ ? counts_->data() : nullptr;
  }
  [[nodiscard]] const value_type* end() const noexcept { return begin() + size(); }
  /// Returns end() if the label does not occur.
  [[nodiscard]] const value_type* find(Label label) const noexcept;
  [[nodiscard]] bool contains(Label label) const noexcept { return find(label) != end(); }
  /// Returns the largest label, 0 if there is none.
  [[nodiscard]] Label largest() const noexcept { return empty() ? 0 : (end() - 1)->first; }
  /// Returns 0 for a label that does not occur.
  [[nodiscard]] std::int64_t of(Label label) const noexcept {
    return contains(label) ? find(label)->second : 0;
  }
  friend bool operator==(const LabelCounts& a, const LabelCounts& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::shared_ptr<const std::vector<value_type>> counts_;
};

/// Returns the sum for each label of pairs in any order.
[[nodiscard]] LabelCounts sum_by_label(std::vector<LabelCounts::value_type> counts);

/// Returns the number of voxels of each label, without the background and labels that do not occur.
[[nodiscard]] LabelCounts count_labels(const LabelMap& map);

}  // namespace seedwave
