// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/engine.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// Detects a crawling wavefront: many successive visits while hardly any brick waits, because the
/// front follows one winding path. Such a path costs a visit each time it enters a brick. The
/// bucket queue pays only for its cells.
///
/// Ordinary fronts have hundreds of bricks waiting. Thread-safe. The verdict affects only the time,
/// not the result.
class CrawlWatch {
 public:
  explicit CrawlWatch(std::int64_t bricks) : waits_(static_cast<std::size_t>(bricks)) {}

  void woken(std::int64_t brick) {
    if (!waits_[static_cast<std::size_t>(brick)].exchange(true, std::memory_order_relaxed)) {
      waiting_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  /// Records the start of a visit. Returns true if the front crawls, so that visits no longer pay.
  [[nodiscard]] bool visited(std::int64_t brick) {
    if (waits_[static_cast<std::size_t>(brick)].exchange(false, std::memory_order_relaxed)) {
      waiting_.fetch_sub(1, std::memory_order_relaxed);
    }
    if (waiting_.load(std::memory_order_relaxed) > kFew) {
      lonely_.store(0, std::memory_order_relaxed);
    } else if (lonely_.fetch_add(1, std::memory_order_relaxed) >= kMostLonely) {
      crawls_.store(true, std::memory_order_relaxed);
    }
    return crawls();
  }
  [[nodiscard]] bool crawls() const { return crawls_.load(std::memory_order_relaxed); }

  /// Number of visits in a row with so few bricks waiting. They take some milliseconds, a small
  /// part of the path's total time if it continues like that.
  static constexpr int kMostLonely = 1024;
  static constexpr int kFew = 4;

 private:
  std::vector<std::atomic<bool>> waits_;
  std::atomic<std::int64_t> waiting_{0};
  std::atomic<int> lonely_{0};
  std::atomic<bool> crawls_{false};
};

}  // namespace seedwave::fuzzy
