// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// Priority queue of cells by strength, strongest first. There is one bucket per level, last in
/// first out.
///
/// Cells are not removed early: a cell that has risen since is in the queue twice, and the reader
/// skips the stale entry. A pushed level must not exceed the level being read.
template <typename Cell>
class BucketQueue {
 public:
  BucketQueue() : buckets_(kFullStrength + 1) {}

  void push(std::uint16_t level, std::int64_t cell) {
    buckets_[level].push_back(static_cast<Cell>(cell));
  }
  /// Moves on to the strongest nonempty level above 0. Returns false if there is none.
  [[nodiscard]] bool next_level() {
    while (level_ > 0 && buckets_[level_].empty()) {
      std::vector<Cell>().swap(buckets_[level_]);  // frees the memory of a level that was read
      --level_;
    }
    return level_ > 0;
  }
  [[nodiscard]] std::uint16_t level() const noexcept { return level_; }
  /// Removes and returns a cell of the level that next_level() found.
  [[nodiscard]] std::int64_t pop() {
    std::vector<Cell>& bucket = buckets_[level_];
    const Cell cell = bucket.back();
    bucket.pop_back();
    return static_cast<std::int64_t>(cell);
  }

 private:
  std::vector<std::vector<Cell>> buckets_;
  std::uint16_t level_ = kFullStrength;
};

}  // namespace seedwave::fuzzy
