// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// Cells waiting by strength, the strongest first; one bucket a level, last in first out inside.
///
/// Cells are never taken out early: one that has risen since waits twice, and the reader skips the
/// stale entry. Pushes must not lie above the level being read.
template <typename Cell>
class BucketQueue {
 public:
  BucketQueue() : buckets_(kFullStrength + 1) {}

  void push(std::uint16_t level, std::int64_t cell) {
    buckets_[level].push_back(static_cast<Cell>(cell));
  }
  /// Moves on to the strongest level that holds a cell, never 0. False: there is none.
  [[nodiscard]] bool next_level() {
    while (level_ > 0 && buckets_[level_].empty()) {
      std::vector<Cell>().swap(buckets_[level_]);  // a level that was read gives its memory back
      --level_;
    }
    return level_ > 0;
  }
  [[nodiscard]] std::uint16_t level() const noexcept { return level_; }
  /// A cell of the level that next_level() found.
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
