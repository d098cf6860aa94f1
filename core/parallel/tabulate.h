// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/parallel/parallel_for.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// Returns of(0) .. of(count - 1), computed on all threads. Throws Cancelled.
template <typename T, typename Of>
[[nodiscard]] std::vector<T> tabulate(std::int64_t count, Context& context, Of&& of) {
  constexpr std::int64_t kGrain = 1 << 16;
  auto result = large_vector<T>(static_cast<std::size_t>(count));
  parallel_for(context, count, kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      result[i] = of(i);
  });
  return result;
}

}  // namespace seedwave
