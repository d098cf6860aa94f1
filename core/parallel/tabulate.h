// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/image/label_map.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace seedwave {

/// Returns of(0) .. of(count - 1), computed on all threads. The zeros with which a vector begins
/// are overwritten while they are in the cache. Throws Cancelled.
template <typename T, typename Of>
[[nodiscard]] std::vector<T> tabulate(std::int64_t count, Context& context, Of&& of) {
  constexpr std::int64_t kGrain = 1 << 16;
  constexpr std::int64_t kAtOnce = 1 << 21;
  auto result = reserved_large<T>(static_cast<std::size_t>(count));
  for (std::int64_t first = 0; first < count; first += kAtOnce) {
    const std::int64_t length = std::min(kAtOnce, count - first);
    result.resize(static_cast<std::size_t>(first + length));
    parallel_for(context, length, kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = first + begin; i < first + end; ++i)
        result[i] = of(i);
    });
  }
  return result;
}

/// Returns the labels of(0), of(1), ... on a grid, in the smallest type that holds `most`. Throws
/// Cancelled.
template <typename Of>
[[nodiscard]] LabelMap tabulate_labels(const Geometry& geometry, Label most, Context& context,
                                       Of&& of) {
  const auto made = [&]<LabelType T>(T) {
    return LabelMap(geometry, tabulate<T>(geometry.voxel_count(), context,
                                          [&](std::int64_t i) { return static_cast<T>(of(i)); }));
  };
  if (most <= std::numeric_limits<std::uint8_t>::max()) return made(std::uint8_t{});
  if (most <= std::numeric_limits<std::uint16_t>::max()) return made(std::uint16_t{});
  return made(std::uint32_t{});
}

}  // namespace seedwave
