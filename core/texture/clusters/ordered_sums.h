// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {

/// Returns `length` sums over the items 0 .. count - 1, bitwise equal for any number of threads.
///
/// add(item, sums) adds an item to them. Chunks of fixed size are each summed from zero in order,
/// and then combined in order.
template <typename Add>
[[nodiscard]] std::vector<double> ordered_sums(std::int64_t count, std::int64_t length,
                                               Context& context, Add&& add) {
  constexpr std::int64_t kChunk = 1024;
  const std::int64_t chunks = (count + kChunk - 1) / kChunk;
  std::vector<double> parts(static_cast<std::size_t>(chunks * length));
  const auto part = [&](std::int64_t chunk) {
    return std::span(parts).subspan(static_cast<std::size_t>(chunk * length),
                                    static_cast<std::size_t>(length));
  };
  parallel_for(context, chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t chunk = begin; chunk < end; ++chunk) {
      const std::int64_t last = std::min(count, (chunk + 1) * kChunk);
      for (std::int64_t item = chunk * kChunk; item < last; ++item)
        add(item, part(chunk));
    }
  });
  std::vector<double> sums(static_cast<std::size_t>(length));
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += part(chunk)[i];
  }
  return sums;
}

}  // namespace seedwave
