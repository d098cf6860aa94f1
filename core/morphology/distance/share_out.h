// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/parallel/workers.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace seedwave::distance {

/// Calls make() once for each worker, and its result body(item) for each of 0..count-1 as they are
/// taken. Uses at most context.threads() threads.
///
/// Unlike parallel_for(), this allocates working memory, up to a band of rows, once per worker and
/// not once per range.
template <typename Make>
void share_out(Context& context, std::int64_t count, Make&& make) {
  std::atomic<std::int64_t> next = 0;
  const auto workers = static_cast<int>(std::clamp<std::int64_t>(count, 1, context.threads()));
  run_workers(workers, [&](int) {
    auto body = make();
    for (std::int64_t item = next++; item < count; item = next++)
      body(item);
  });
}

}  // namespace seedwave::distance
