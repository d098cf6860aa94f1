// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"

#include <algorithm>
#include <cstddef>

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

}  // namespace seedwave
