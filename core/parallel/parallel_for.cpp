// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/parallel_for.h"

#include "core/base/error.h"
#include "core/parallel/workers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <new>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

namespace seedwave {
namespace {

/// Shares of a worker when all come at once: large at first, small at the end.
constexpr std::int64_t kShares = 4;
/// What a worker takes first, of all; how long its next ranges take is reckoned from there.
constexpr std::int64_t kFirstShare = 256;
/// A worker looks about this often whether to stop: often enough for a hand, too seldom to cost.
constexpr std::chrono::microseconds kBetweenLooks{10'000};

/// Hands out 0..count in ranges, none below `grain` but the last.
class Ranges {
 public:
  Ranges(const Context& context, std::int64_t count, std::int64_t grain, int workers)
      : context_(context),
        count_(count),
        grain_(std::max<std::int64_t>(1, grain)),
        shares_(workers == 1 ? 1 : kShares * workers) {}

  /// Calls body(begin, end) until nothing is left, for anybody: after an exception nothing is.
  void work_off(const std::function<void(std::int64_t, std::int64_t)>& body) {
    try {
      std::int64_t most = std::max(grain_, count_ / kFirstShare);
      std::int64_t begin = next_.load();
      while (begin < count_) {
        if (context_.stop_requested()) throw Cancelled();
        const std::int64_t share = std::min(most, (count_ - begin) / shares_);
        const std::int64_t end = std::min(count_, begin + std::max(grain_, share));
        if (!next_.compare_exchange_weak(begin, end)) continue;
        const auto start = Clock::now();
        body(begin, end);
        most = items_between_looks(end - begin, Clock::now() - start);
        begin = next_.load();
      }
    } catch (...) {
      next_.store(count_);
      throw;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::int64_t items_between_looks(std::int64_t items, Clock::duration taken) const {
    const double ranges =
        std::chrono::duration<double>(kBetweenLooks) /
        std::max<std::chrono::duration<double>>(taken, std::chrono::microseconds(1));
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(items) * ranges));
  }

  const Context& context_;
  std::int64_t count_;
  std::int64_t grain_;
  std::int64_t shares_;
  std::atomic<std::int64_t> next_ = 0;
};

/// oneTBB fails in the middle of a loop, or ends the program, where it cannot start a thread: it is
/// told before its first loop how many there can be.
[[maybe_unused]] void keep_to_possible_threads() {
  // Never destroyed: without it oneTBB would start the other threads as the program exits.
  alignas(tbb::global_control) static std::byte room[sizeof(tbb::global_control)];
  static const auto* const limit = ::new (room) tbb::global_control(
      tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(threads_to_be_had(tbb::info::default_concurrency())));
  static_cast<void>(limit);
}

}  // namespace

void parallel_for(Context& context, std::int64_t count, std::int64_t grain,
                  const std::function<void(std::int64_t begin, std::int64_t end)>& body) {
  if (count <= 0) return;
  const int workers = count <= grain ? 1 : context.threads();
  Ranges ranges(context, count, grain, workers);
  if (workers == 1) {
    ranges.work_off(body);
    return;
  }
#if defined(__SANITIZE_THREAD__)
  // oneTBB's library is not built for the sanitizer, which takes its hand-over of work for races.
  run_workers(workers, [&](int) { ranges.work_off(body); });
#else
  keep_to_possible_threads();
  // As many tasks as workers, in the calling thread's own arena: into one made for the call the
  // second thread came a tenth of a second late, and short work was done by then.
  tbb::parallel_for(
      tbb::blocked_range<int>(0, workers, 1),
      [&](const tbb::blocked_range<int>&) { ranges.work_off(body); }, tbb::simple_partitioner());
#endif
}

void serial_for(Context& context, std::int64_t count,
                const std::function<void(std::int64_t begin, std::int64_t end)>& body) {
  Ranges(context, count, 1, 1).work_off(body);
}

}  // namespace seedwave
