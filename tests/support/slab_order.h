// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/partitions/settle_slabs.h"
#include "tests/support/random_numbers.h"

#include <cstdint>
#include <iterator>
#include <vector>

namespace seedwave::test {

/// Returns the waiting slabs in random order, which must not affect the result. `random` must
/// outlive it.
[[nodiscard]] inline NextSlab in_random_order(RandomNumbers& random) {
  return [&random](const std::vector<char>& waiting) {
    std::int64_t slab = random.below(std::ssize(waiting));
    while (waiting[slab] == 0)
      slab = (slab + 1) % std::ssize(waiting);
    return slab;
  };
}

}  // namespace seedwave::test
