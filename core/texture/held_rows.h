// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seedwave::texture {

/// Bookkeeping of an image's rows in a buffer for some of them. New rows are appended. If the
/// buffer is full, the rows still needed move to the front.
class HeldRows {
 public:
  HeldRows(std::int64_t first, std::int64_t most) : first_(first), end_(first), most_(most) {}

  /// Loads the rows first .. last, at most as many as the buffer holds. Neither may decrease.
  /// move(from, to, count) moves rows in memory, fill(row, place) creates one.
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

/// Number of rows beyond those needed at once, so that they are seldom moved.
inline constexpr std::int64_t kRowsAhead = 32;

}  // namespace seedwave::texture
