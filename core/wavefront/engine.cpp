// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/engine.h"

#include "core/base/error.h"
#include "core/base/mapped_pages.h"
#include "core/parallel/workers.h"

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <utility>

namespace seedwave {
namespace {

/// Number of visits of worker 0 between two progress reports.
constexpr int kVisitsPerReport = 64;

/// Largest number of tiles that a worker takes at once if all are equally urgent. They are mostly
/// neighbours in a row, so their exchange stays on one processor. A worker takes at most 1/kShares
/// of its part of the outstanding tiles, which leaves work for the others.
constexpr std::int64_t kMostAtOnce = 16;
constexpr std::int64_t kShares = 8;

/// A TileQueue shared by the workers. Locks once for several visits, because a visit may take only
/// a microsecond. Fetching the guarded data from another processor takes as long.
class Worklist {
 public:
  Worklist(TileQueue queue, int workers) : queue_(std::move(queue)), workers_(workers) {}

  /// The next tiles of a worker, in order.
  struct Taken {
    std::vector<std::int64_t> tiles;
    int level = 0;
  };
  /// Waits for tiles. Returns none if the wavefront has reached its fixpoint or abandon() was
  /// called.
  void take(Taken& taken) {
    std::unique_lock lock(mutex_);
    take_locked(lock, taken);
  }
  /// Wakes tiles and closes the taken ones in one step, then waits for the next tiles as take()
  /// does.
  void finish_and_take(const std::vector<Wake>& wakes, Taken& taken) {
    std::unique_lock lock(mutex_);
    for (const Wake& wake : wakes)
      queue_.wake(wake.tile, wake.priority);
    for (const std::int64_t tile : taken.tiles)
      queue_.close(tile);
    if (waiting_ > 0 && (wakes.size() > 1 || queue_.outstanding() == 0)) changed_.notify_all();
    take_locked(lock, taken);
  }
  void abandon() {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    changed_.notify_all();
  }

 private:
  void take_locked(std::unique_lock<std::mutex>& lock, Taken& taken) {
    taken.tiles.clear();
    for (;;) {
      if (abandoned_) return;
      const std::int64_t most = most_at_once();
      while (std::ssize(taken.tiles) < most) {
        const auto tile = queue_.take();
        if (!tile) break;
        taken.tiles.push_back(*tile);
        taken.level = queue_.level();
      }
      if (!taken.tiles.empty()) return;
      if (queue_.outstanding() == 0) {
        changed_.notify_all();
        return;
      }
      ++waiting_;
      changed_.wait(lock);
      --waiting_;
    }
  }

  [[nodiscard]] std::int64_t most_at_once() const {
    if (workers_ == 1 || queue_.has_priorities()) return 1;
    return std::clamp<std::int64_t>(queue_.outstanding() / (kShares * workers_), 1, kMostAtOnce);
  }

  std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  TileQueue queue_;
  int workers_;
  int waiting_ = 0;
  bool abandoned_ = false;
};

void work(Worklist& worklist, int worker, Context& context, const TileVisit& visit,
          const std::function<double(int level)>& progress) {
  Worklist::Taken taken;
  std::vector<Wake> wakes;
  std::vector<Wake> all_wakes;
  int visits = 0;
  worklist.take(taken);
  while (!taken.tiles.empty()) {
    all_wakes.clear();
    for (auto tile = taken.tiles.begin(); tile != taken.tiles.end(); ++tile) {
      if (context.stop_requested()) {
        worklist.abandon();
        return;
      }
      if (worker == 0 && ++visits % kVisitsPerReport == 0) {
        context.checkpoint(progress(taken.level));
      }
      mapped::keep_pace();
      wakes.clear();
      visit(*tile, worker, wakes);
      // Tiles that this worker has yet to visit will see the change then.
      std::copy_if(wakes.begin(), wakes.end(), std::back_inserter(all_wakes),
                   [&](const Wake& wake) {
                     return std::find(tile + 1, taken.tiles.end(), wake.tile) == taken.tiles.end();
                   });
    }
    worklist.finish_and_take(all_wakes, taken);
  }
}

}  // namespace

void run_tiles(TileQueue queue, Context& context, const TileVisit& visit,
               const std::function<double(int level)>& progress) {
  // More workers than tiles would only wait for each other.
  const int workers =
      static_cast<int>(std::min<std::int64_t>(context.threads(), queue.tile_count()));
  Worklist worklist(std::move(queue), workers);
  const auto work_as = [&](int worker) {
    try {
      work(worklist, worker, context, visit, progress);
    } catch (...) {
      worklist.abandon();  // otherwise the others would wait for a tile that never closes
      throw;
    }
  };
  run_workers(workers, work_as);
  if (context.stop_requested()) throw Cancelled();
}

}  // namespace seedwave
