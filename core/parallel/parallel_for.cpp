// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/parallel_for.h"

#include <algorithm>
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
  // oneTBB complains on standard error when asked for more threads than the machine has.
  tbb::task_arena arena(std::min(context.threads(), tbb::info::default_concurrency()));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(
            0, count, static_cast<std::size_t>(std::max<std::int64_t>(1, grain))),
        [&](const tbb::blocked_range<std::int64_t>& range) { body(range.begin(), range.end()); });
  });
}

}  // namespace seedwave
