// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/engine.h"

#include "core/base/error.h"
#include "core/parallel/workers.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace seedwave {
namespace {

/// Visits of worker 0 between two progress reports.
constexpr int kVisitsPerReport = 64;

/// A TileQueue that workers share. One lock a visit: visits take microseconds, the lock a tenth.
class Worklist {
 public:
  explicit Worklist(TileQueue queue) : queue_(std::move(queue)) {}

  struct Taken {
    std::int64_t tile = 0;
    int level = 0;
  };
  /// Waits for a tile. Nothing: the wavefront has come to rest, or abandon() was called.
  std::optional<Taken> take() {
    std::unique_lock lock(mutex_);
    return take_locked(lock);
  }
  /// Wakes and closes in one step, then waits for the next tile as take() does.
  std::optional<Taken> finish_and_take(std::int64_t tile, const std::vector<Wake>& wakes) {
    std::unique_lock lock(mutex_);
    for (const Wake& wake : wakes)
      queue_.wake(wake.tile, wake.priority);
    queue_.close(tile);
    if (waiting_ > 0 && (wakes.size() > 1 || queue_.outstanding() == 0)) changed_.notify_all();
    return take_locked(lock);
  }
  void abandon() {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    changed_.notify_all();
  }

 private:
  std::optional<Taken> take_locked(std::unique_lock<std::mutex>& lock) {
    for (;;) {
      if (abandoned_) return std::nullopt;
      if (const auto tile = queue_.take()) return Taken{*tile, queue_.level()};
      if (queue_.outstanding() == 0) {
        changed_.notify_all();
        return std::nullopt;
      }
      ++waiting_;
      changed_.wait(lock);
      --waiting_;
    }
  }

  std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  TileQueue queue_;
  int waiting_ = 0;
  bool abandoned_ = false;
};

void work(Worklist& worklist, int worker, Context& context, const TileVisit& visit,
          const std::function<double(int level)>& progress) {
  std::vector<Wake> wakes;
  int visits = 0;
  auto taken = worklist.take();
  while (taken && !context.stop_requested()) {
    if (worker == 0 && ++visits % kVisitsPerReport == 0) context.checkpoint(progress(taken->level));
    wakes.clear();
    visit(taken->tile, worker, wakes);
    taken = worklist.finish_and_take(taken->tile, wakes);
  }
  if (context.stop_requested()) worklist.abandon();
}

}  // namespace

void run_tiles(TileQueue queue, Context& context, const TileVisit& visit,
               const std::function<double(int level)>& progress) {
  // More workers than tiles would only wait for each other.
  const int workers =
      static_cast<int>(std::min<std::int64_t>(context.threads(), queue.tile_count()));
  Worklist worklist(std::move(queue));
  const auto work_as = [&](int worker) {
    try {
      work(worklist, worker, context, visit, progress);
    } catch (...) {
      worklist.abandon();  // or the others would wait for a tile that never closes
      throw;
    }
  };
  run_workers(workers, work_as);
  if (context.stop_requested()) throw Cancelled();
}

}  // namespace seedwave
