// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/parallel_for.h"

#include "core/parallel/workers.h"

#include <algorithm>
#include <atomic>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

namespace seedwave {
namespace {

/// Shares of a worker when all come at once: large at first, small at the end.
constexpr std::int64_t kShares = 4;

/// Hands out 0..count in ranges, none below `grain` but the last.
class Ranges {
 public:
  Ranges(std::int64_t count, std::int64_t grain, int workers)
      : count_(count), grain_(std::max<std::int64_t>(1, grain)), shares_(kShares * workers) {}

  /// Calls body(begin, end) until nothing is left.
  void work_off(const std::function<void(std::int64_t, std::int64_t)>& body) {
    std::int64_t begin = next_.load();
    while (begin < count_) {
      const std::int64_t end =
          std::min(count_, begin + std::max(grain_, (count_ - begin) / shares_));
      if (!next_.compare_exchange_weak(begin, end)) continue;
      body(begin, end);
      begin = next_.load();
    }
  }

 private:
  std::int64_t count_;
  std::int64_t grain_;
  std::int64_t shares_;
  std::atomic<std::int64_t> next_ = 0;
};

}  // namespace

void parallel_for(Context& context, std::int64_t count, std::int64_t grain,
                  const std::function<void(std::int64_t begin, std::int64_t end)>& body) {
  if (count <= 0) return;
  if (context.threads() == 1 || count <= grain) {
    body(0, count);
    return;
  }
  const int workers = context.threads();
  Ranges ranges(count, grain, workers);
#if defined(__SANITIZE_THREAD__)
  // oneTBB's library is not built for the sanitizer, which takes its hand-over of work for races.
  run_workers(workers, [&](int) { ranges.work_off(body); });
#else
  // As many tasks as workers, in the calling thread's own arena: into one made for the call the
  // second thread came a tenth of a second late, and short work was done by then.
  tbb::parallel_for(
      tbb::blocked_range<int>(0, workers, 1),
      [&](const tbb::blocked_range<int>&) { ranges.work_off(body); }, tbb::simple_partitioner());
#endif
}

}  // namespace seedwave
