// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/parallel/ranks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

/// Items of work (rows, directions, lines) that the ranks of a run divide. One process has all of
/// them, and nobody to give them to. own_items() and leave_to_first() are
/// called by a rank for itself, the others by all ranks.
namespace seedwave {

/// Returns the items that this process computes.
[[nodiscard]] inline LayerRange own_items(const Context& context, std::int64_t count) {
  if (context.ranks() == nullptr) return {0, count};
  return own_layers(*context.ranks(), count);
}

/// Gives the items that each rank computed to all. `results` holds those of all `count` items, each
/// equally long.
template <typename T>
void share_items(Context& context, std::span<T> results, std::int64_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (Ranks* const ranks = context.ranks())
    share_layers(*ranks, std::as_writable_bytes(results), count);
}

/// Gives them to the first rank alone.
template <typename T>
void collect_items(Context& context, std::span<T> results, std::int64_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (Ranks* const ranks = context.ranks())
    collect_layers(*ranks, std::as_writable_bytes(results), count);
}

/// Ends the run in all ranks but the first one, which has what the others computed: throws
/// LeftToFirst there. The operation may share nothing after it.
inline void leave_to_first(const Context& context) {
  if (context.ranks() != nullptr && context.ranks()->rank() > 0) throw LeftToFirst();
}

/// Adds up the numbers of all ranks, of a type with +=. The order of terms is that of the ranks.
template <typename T>
void sum_over_ranks(Ranks& ranks, std::span<T> numbers) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::vector<T> own(numbers.begin(), numbers.end());
  std::vector<T> theirs(own.size());
  std::fill(numbers.begin(), numbers.end(), T{});
  for (int rank = 0; rank < ranks.count(); ++rank) {
    if (rank == ranks.rank()) theirs = own;
    ranks.share(std::as_writable_bytes(std::span(theirs)), rank);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] += theirs[i];
  }
}

}  // namespace seedwave
