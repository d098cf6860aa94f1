// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/parallel/workers.h"

#include <atomic>
#include <cstdint>

/// Distribution of directions among threads.
namespace seedwave::linear {

/// Largest total memory of all workers' planes.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 29;

/// Returns the number of workers that take one direction each. If it is one, all threads work on
/// every direction.
[[nodiscard]] inline int workers_for(std::int64_t directions, std::int64_t bytes_each,
                                     const Context& context) {
  const std::int64_t threads = context.threads();
  const bool enough = directions >= 2 * threads && threads * bytes_each <= kMostBytes;
  return enough ? static_cast<int>(threads) : 1;
}

/// Directions first .. last - 1 of `count`.
struct DirectionRange {
  std::int64_t first;
  std::int64_t last;
  std::int64_t count;
};

/// Calls body(worker, number, context) for these directions, in ascending order for each worker.
template <typename Body>
void for_each_direction(const DirectionRange& range, int workers, Context& context, Body&& body) {
  std::atomic<std::int64_t> next = range.first;
  std::atomic<std::int64_t> done = range.first;
  run_workers(workers, [&](int worker) {
    Context inner(Context::Settings{.stop = context.stop_token(),
                                    .threads = workers == 1 ? context.threads() : 1});
    try {
      for (std::int64_t number = next++; number < range.last; number = next++) {
        context.checkpoint(static_cast<double>(done) / static_cast<double>(range.count));
        body(worker, number, inner);
        ++done;
      }
    } catch (...) {
      next = range.last;  // stops the other workers too
      throw;
    }
  });
}

/// Calls the same for all directions.
template <typename Body>
void for_each_direction(std::int64_t directions, int workers, Context& context, Body&& body) {
  for_each_direction(DirectionRange{0, directions, directions}, workers, context, body);
}

}  // namespace seedwave::linear
