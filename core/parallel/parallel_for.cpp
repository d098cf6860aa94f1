// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/parallel_for.h"

#include "core/base/error.h"
#include "core/base/mapped_pages.h"
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

/// A range has at most 1/kShares of a worker's part of the remaining items. So ranges are large at
/// first and small at the end.
constexpr std::int64_t kShares = 4;
/// Divisor of the whole for a worker's first range. The time of its next ranges is estimated from
/// it.
constexpr std::int64_t kFirstShare = 256;
/// Interval between a worker's checks for a stop: short for a user, but too long to cost time.
constexpr std::chrono::microseconds kBetweenLooks{10'000};

/// Hands out 0..count in ranges. Only the last may be smaller than `grain`.
class Ranges {
 public:
  Ranges(const Context& context, std::int64_t count, std::int64_t grain, int workers)
      : context_(context),
        count_(count),
        grain_(std::max<std::int64_t>(1, grain)),
        shares_(workers == 1 ? 1 : kShares * workers) {}

  /// Calls body(begin, end) until no worker has ranges left. An exception leaves none.
  void work_off(const std::function<void(std::int64_t, std::int64_t)>& body) {
    try {
      std::int64_t most = std::max(grain_, count_ / kFirstShare);
      std::int64_t begin = next_.load();
      while (begin < count_) {
        if (context_.stop_requested()) throw Cancelled();
        const std::int64_t share = std::min(most, (count_ - begin) / shares_);
        const std::int64_t end = std::min(count_, begin + std::max(grain_, share));
        if (!next_.compare_exchange_weak(begin, end)) continue;
        mapped::keep_pace();
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

/// Limits oneTBB, before its first loop, to the number of threads that can be started. If it cannot
/// start a thread, it fails in the middle of a loop or ends the program.
[[maybe_unused]] void keep_to_possible_threads() {
  // Never destroyed: otherwise oneTBB would start the other threads as the program exits.
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
  // oneTBB's library is not built for the sanitizer, which reports its hand-over of work as races.
  run_workers(workers, [&](int) { ranges.work_off(body); });
#else
  keep_to_possible_threads();
  // Starts as many tasks as workers, in the calling thread's own arena. In an arena created for the
  // call, the second thread arrived a tenth of a second late, after short work was done.
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
