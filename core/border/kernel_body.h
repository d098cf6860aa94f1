// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/kernel.h"

#include <cstdint>

/// The kernel, compiled once for each instruction set.
namespace seedwave::border {
namespace {

template <typename Square>
void lower(Square* __restrict to, const Square* __restrict from, std::int64_t count, Square cost) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto sum = static_cast<Square>(from[i] + cost);
    to[i] = sum < to[i] ? sum : to[i];
  }
}

constexpr Kernel kKernel{lower<std::uint16_t>, lower<std::uint32_t>};

}  // namespace
}  // namespace seedwave::border
