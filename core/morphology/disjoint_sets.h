// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/image/geometry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace seedwave {

/// Union-find with path halving on the elements 0 .. count - 1. Each set is named by its first
/// element. Threads may add and join concurrently if each stays within sets of its own elements.
template <typename Index>
class DisjointSets {
 public:
  /// Creates room for the elements. An element is in no set before add().
  explicit DisjointSets(Index count)
      : parents_(large_array<Index>(static_cast<std::size_t>(count), LastPage::Whole)) {}

  void add(Index thing) { parents_[thing] = thing; }
  [[nodiscard]] Index first_of(Index thing) {
    while (parents_[thing] != thing)
      thing = parents_[thing] = parents_[parents_[thing]];
    return thing;
  }
  void join(Index a, Index b) {
    a = first_of(a);
    b = first_of(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  LargeArray<Index> parents_;
};

/// Returns the number of rows of a strip, which one thread joins before strips are joined one after
/// the other. Strips of a volume are whole planes, so few rows have neighbours in another strip.
[[nodiscard]] constexpr std::int64_t rows_per_strip(const Index3& size) {
  constexpr std::int64_t kRows = 64;
  constexpr std::int64_t kPlanes = 8;
  return size[2] > 1 ? kPlanes * size[1] : kRows;
}

}  // namespace seedwave
