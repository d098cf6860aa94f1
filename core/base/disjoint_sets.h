// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace seedwave {

/// Union-find with path halving, in an array of each element's parent. A set is named by its first
/// element.
template <typename Index, typename Parents>
[[nodiscard]] Index first_of_set(Parents& parents, Index thing) {
  while (parents[thing] != thing)
    thing = parents[thing] = parents[parents[thing]];
  return thing;
}
template <typename Index, typename Parents>
void join_sets(Parents& parents, Index a, Index b) {
  a = first_of_set(parents, a);
  b = first_of_set(parents, b);
  parents[std::max(a, b)] = std::min(a, b);
}

/// Disjoint sets of the elements 0 .. count - 1, in a number known beforehand. Threads may add and
/// join concurrently if each stays within sets of its own elements.
template <typename Index>
class DisjointSets {
 public:
  /// Creates room for the elements. An element is in no set before add().
  explicit DisjointSets(Index count)
      : parents_(large_array<Index>(static_cast<std::size_t>(count), LastPage::Whole)) {}

  void add(Index thing) { parents_[thing] = thing; }
  [[nodiscard]] Index first_of(Index thing) { return first_of_set(parents_, thing); }
  void join(Index a, Index b) { join_sets(parents_, a, b); }

 private:
  LargeArray<Index> parents_;
};

/// Disjoint sets to which elements are added one by one: 0, 1, ...
template <typename Index>
class GrowingSets {
 public:
  [[nodiscard]] Index count() const { return static_cast<Index>(parents_.size()); }
  void reserve(Index count) { parents_.reserve(static_cast<std::size_t>(count)); }
  /// Adds an element that is a set of its own.
  Index add() {
    parents_.push_back(count());
    return count() - 1;
  }
  /// Adds the elements of others, with their sets.
  void append(const GrowingSets& others) {
    const Index first = count();
    for (const Index parent : others.parents_)
      parents_.push_back(first + parent);
  }
  [[nodiscard]] Index first_of(Index thing) { return first_of_set(parents_, thing); }
  void join(Index a, Index b) { join_sets(parents_, a, b); }

 private:
  std::vector<Index> parents_;
};

}  // namespace seedwave
