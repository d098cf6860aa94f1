// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/vector_lanes.h"
#include "core/border/kernel.h"

#include <cstdint>

/// The kernel, compiled once for each instruction set.
namespace seedwave::border {
namespace {

template <typename Square>
void lower(const Square* const* rows, std::int64_t count, const Square* costs, std::int64_t reach,
           Square* to) {
  using Squares = typename VectorOf<Square>::Type;
  constexpr int kVectors = 2;
  constexpr std::int64_t kBlock = kVectors * kLanes<Square>;
  const auto block = [&](std::int64_t i) {
    Squares least[kVectors];
    for (int j = 0; j < kVectors; ++j)
      least[j] = load<Squares>(rows[0] + i + j * kLanes<Square>);
    for (std::int64_t k = 1; k <= reach; ++k) {
      for (int j = 0; j < kVectors; ++j) {
        const std::int64_t at = i + j * kLanes<Square>;
        const Squares near = lesser(load<Squares>(rows[-k] + at), load<Squares>(rows[k] + at));
        least[j] = lesser<Squares>(least[j], near + costs[k]);
      }
    }
    for (int j = 0; j < kVectors; ++j)
      store(to + i + j * kLanes<Square>, least[j]);
  };
  std::int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock)
    block(i);
  if (i < count && count >= kBlock) return block(count - kBlock);
  for (; i < count; ++i) {
    Square least = rows[0][i];
    for (std::int64_t k = 1; k <= reach; ++k) {
      const Square near = rows[-k][i] < rows[k][i] ? rows[-k][i] : rows[k][i];
      const auto sum = static_cast<Square>(near + costs[k]);
      least = sum < least ? sum : least;
    }
    to[i] = least;
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
