// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/partitions/settle_slabs.h"
#include "tests/support/random_numbers.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <thread>
#include <vector>

namespace seedwave::test {

/// Returns the waiting slabs in random order, which must not affect the result. `random` must
/// outlive it.
[[nodiscard]] inline NextSlab in_random_order(RandomNumbers& random) {
  return [&random](std::size_t, const std::vector<char>& waiting) {
    std::int64_t slab = random.below(std::ssize(waiting));
    while (waiting[slab] == 0)
      slab = (slab + 1) % std::ssize(waiting);
    return slab;
  };
}

/// Returns the settings of a run that 2 to 6 workers share.
[[nodiscard]] inline Context::Settings shared_by_some(RandomNumbers& random) {
  return {.threads = 1,
          .workers = std::vector<Worker>(static_cast<std::size_t>(2 + random.below(5)))};
}

/// Waits now and then, a different time at each call, so that workers meet in other ways.
inline void wait_a_moment() {
  static std::atomic<std::uint64_t> calls = 0;
  RandomNumbers random(++calls);
  if (random.below(3) == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(100)));
}

}  // namespace seedwave::test
