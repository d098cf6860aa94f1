// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/parallel_for.h"

#include "core/parallel/workers.h"

#include <algorithm>
#include <atomic>
#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace seedwave {

void parallel_for(Context& context, std::int64_t count, std::int64_t grain,
                  const std::function<void(std::int64_t begin, std::int64_t end)>& body) {
  if (count <= 0) return;
  if (context.threads() == 1 || count <= grain) {
    body(0, count);
    return;
  }
#if defined(__SANITIZE_THREAD__)
  // oneTBB's library is not built for the sanitizer, which takes its hand-over of work for races.
  std::atomic<std::int64_t> next = 0;
  const std::int64_t step = std::max<std::int64_t>(1, grain);
  run_workers(context.threads(), [&](int) {
    for (std::int64_t begin = next.fetch_add(step); begin < count; begin = next.fetch_add(step)) {
      body(begin, std::min(begin + step, count));
    }
  });
#else
  // oneTBB complains on standard error when asked for more threads than the machine has.
  tbb::task_arena arena(std::min(context.threads(), tbb::info::default_concurrency()));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(
            0, count, static_cast<std::size_t>(std::max<std::int64_t>(1, grain))),
        [&](const tbb::blocked_range<std::int64_t>& range) { body(range.begin(), range.end()); });
  });
#endif
}

}  // namespace seedwave
