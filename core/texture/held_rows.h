// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seedwave::texture {

/// Which rows of a picture are in a memory that holds some: further ones go behind the last, and
/// where there is no more room those that are still wanted move to the front.
class HeldRows {
 public:
  HeldRows(std::int64_t first, std::int64_t most) : first_(first), end_(first), most_(most) {}

  /// Makes the rows first .. last be there, at most as many as there is room for; both only grow.
  /// move(from, to, count) moves rows in memory, fill(row, place) makes one.
  template <typename Move, typename Fill>
  void hold(std::int64_t first, std::int64_t last, Move&& move, Fill&& fill) {
    if (last >= first_ + most_) {
      move(first - first_, std::int64_t{0}, end_ - first);
      first_ = first;
    }
    for (; end_ <= last; ++end_)
      fill(end_, place(end_));
  }
  [[nodiscard]] std::int64_t place(std::int64_t row) const { return row - first_; }
  [[nodiscard]] std::int64_t most() const { return most_; }

 private:
  std::int64_t first_;
  std::int64_t end_;
  std::int64_t most_;
};

/// Rows more than are wanted at once, so that they are moved seldom.
inline constexpr std::int64_t kRowsAhead = 32;

}  // namespace seedwave::texture
