// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace seedwave {

/// Two items that may be paired: one of the left ones and one of the right ones, by their numbers.
struct PossiblePair {
  std::size_t left = 0;
  std::size_t right = 0;
};

/// Returns the largest number of pairs of which no two share an item (maximum bipartite matching,
/// by augmenting paths: C. Berge, Proc. Natl. Acad. Sci. 43(9):842-844, 1957). `pairs` are in
/// ascending order of their left items.
///
/// Cost: linear if most pairs share no item with others, at worst items times pairs. Throws
/// Cancelled.
[[nodiscard]] std::int64_t most_pairs(std::span<const PossiblePair> pairs, Context& context);

}  // namespace seedwave
