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

template <typename T>
SquaredDifferences differences(MarkedRow<T> a, MarkedRow<T> b, std::int64_t count,
                               std::int32_t least, std::int32_t most) {
  const auto limited = [&](T value) {
    const std::int32_t from_below = value < least ? least : value;
    return from_below > most ? most : from_below;
  };
  // Pieces whose pairs fit 32 bits.
  constexpr std::int64_t kPiece = 1 << 12;
  SquaredDifferences all;
  for (std::int64_t begin = 0; begin < count; begin += kPiece) {
    const std::int64_t end = begin + kPiece < count ? begin + kPiece : count;
    std::uint32_t pairs = 0;
    std::uint64_t sum = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint32_t counts = (a.marks[i] != 0 ? 1U : 0U) & (b.marks[i] != 0 ? 1U : 0U);
      const std::int32_t step = limited(b.values[i]) - limited(a.values[i]);
      const std::uint32_t length = static_cast<std::uint32_t>(step < 0 ? -step : step) * counts;
      sum += length * length;  // below 2^32
      pairs += counts;
    }
    all.sum += sum;
    all.pairs += pairs;
  }
  return all;
}

constexpr Kernel kKernel{lower<std::uint16_t>, lower<std::uint32_t>, differences<std::uint8_t>,
                         differences<std::int16_t>, differences<std::uint16_t>};

}  // namespace
}  // namespace seedwave::border
