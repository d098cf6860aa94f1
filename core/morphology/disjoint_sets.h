// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"

#include <algorithm>
#include <cstddef>

namespace seedwave {

/// Things 0 .. count - 1 joined into sets, each named by its first: union-find whose paths are
/// halved as they are walked. Threads may add and join at the same time as long as they stay within
/// sets of their own things.
template <typename Index>
class DisjointSets {
 public:
  /// No thing is in a set before add().
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
