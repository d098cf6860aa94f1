// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/engine.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// Notices a wavefront that crawls: visit after visit while hardly a brick waits, because the front
/// runs along one winding path. Such a path costs a visit each time it enters a brick, where the
/// bucket queue pays for its cells alone.
///
/// Ordinary fronts have hundreds of bricks waiting. Thread-safe; only time depends on what it says.
class CrawlWatch {
 public:
  explicit CrawlWatch(std::int64_t bricks) : waits_(static_cast<std::size_t>(bricks)) {}

  void woken(std::int64_t brick) {
    if (!waits_[static_cast<std::size_t>(brick)].exchange(true, std::memory_order_relaxed)) {
      waiting_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  /// A visit begins. True: the front crawls, and visits are no longer worth their while.
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

  /// So many visits in a row with so few bricks waiting: some milliseconds, a small part of what
  /// the path takes if it goes on like that.
  static constexpr int kMostLonely = 1024;
  static constexpr int kFew = 4;

 private:
  std::vector<std::atomic<bool>> waits_;
  std::atomic<std::int64_t> waiting_{0};
  std::atomic<int> lonely_{0};
  std::atomic<bool> crawls_{false};
};

}  // namespace seedwave::fuzzy
