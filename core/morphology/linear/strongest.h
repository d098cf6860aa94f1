// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"

#include <cstdint>

namespace seedwave::linear {

/// Returns whether an answer is stronger than another one: for openings the higher, for closings
/// the lower.
template <LineFilter filter, typename Value>
[[nodiscard]] bool is_stronger(Value a, Value b) {
  return filter == LineFilter::Opening ? a > b : a < b;
}

/// Takes over stronger ones of other answers, and equal ones of an earlier direction. A separate
/// function, because otherwise it would not be vectorised. NaN is not allowed.
template <LineFilter filter, typename Value>
[[gnu::noinline]] void merge_strongest(const Value* __restrict others,
                                       const std::uint16_t* __restrict others_first,
                                       std::int64_t count, Value* __restrict values,
                                       std::uint16_t* __restrict first) {
  for (std::int64_t i = 0; i < count; ++i) {
    const bool stronger = is_stronger<filter>(others[i], values[i]);
    const bool earlier = others[i] == values[i] && others_first[i] < first[i];
    values[i] = stronger ? others[i] : values[i];
    first[i] = stronger || earlier ? others_first[i] : first[i];
  }
}

}  // namespace seedwave::linear
