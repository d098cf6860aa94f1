// SPDX-License-Identifier: Apache-2.0
// The loops of kernel.h. Compiled once for each instruction set, so everything has internal
// linkage.
#pragma once

#include "core/base/vector_lanes.h"
#include "core/filters/kernel.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace seedwave::filters {
namespace {

/// Vectors of sums that are computed together, so that they stay in registers.
constexpr int kSums = 4;

using Sum = VectorOf<double>::Type;
constexpr int kSumLanes = kLanes<double>;

SEEDWAVE_INLINE Sum load_sum(const double* from) {
  return load<Sum>(from);
}
SEEDWAVE_INLINE Sum load_sum(const float* from) {
  return doubles_of(load<VectorOf<float>::Half>(from));
}
SEEDWAVE_INLINE void store_sum(double* to, const Sum& sum) {
  store(to, sum);
}
SEEDWAVE_INLINE void store_sum(float* to, const Sum& sum) {
  store(to, floats_of(sum));
}

/// Computes to[i] for all i < count. before(k) and after(k) are the rows k steps away, and their
/// cells i belong to to[i].
template <typename Before, typename After, typename Cell>
SEEDWAVE_INLINE void weigh(const Before& before, const After& after, std::int64_t count,
                           const double* weights, std::int64_t reach, Cell* to) {
  constexpr int kBlock = kSums * kSumLanes;
  std::int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    Sum sums[kSums];
    const auto* centre = before(0) + i;
    for (int j = 0; j < kSums; ++j)
      sums[j] = weights[0] * load_sum(centre + j * kSumLanes);
    for (std::int64_t k = 1; k <= reach; ++k) {
      const auto* a = before(k) + i;
      const auto* b = after(k) + i;
      for (int j = 0; j < kSums; ++j)
        sums[j] += weights[k] * (load_sum(a + j * kSumLanes) + load_sum(b + j * kSumLanes));
    }
    for (int j = 0; j < kSums; ++j)
      store_sum(to + i + j * kSumLanes, sums[j]);
  }
  for (; i < count; ++i) {
    double sum = weights[0] * static_cast<double>(before(0)[i]);
    for (std::int64_t k = 1; k <= reach; ++k) {
      sum += weights[k] * (static_cast<double>(before(k)[i]) + static_cast<double>(after(k)[i]));
    }
    to[i] = static_cast<Cell>(sum);
  }
}

template <typename Cell>
void weigh_along(const double* from, std::int64_t count, const double* weights, std::int64_t reach,
                 Cell* to) {
  weigh([&](std::int64_t k) { return from - k; }, [&](std::int64_t k) { return from + k; }, count,
        weights, reach, to);
}

template <typename Cell>
void weigh_across(const Cell* const* rows, std::int64_t count, const double* weights,
                  std::int64_t reach, Cell* to) {
  weigh([&](std::int64_t k) { return rows[-k]; }, [&](std::int64_t k) { return rows[k]; }, count,
        weights, reach, to);
}

/// Rounds a vector of values, as rounded() does each.
template <typename Cell>
SEEDWAVE_INLINE void round_vector(const float* from, Cell* to) {
  using Floats = VectorOf<float>::Type;
  using Words = VectorOf<std::int32_t>::Type;
  using Cells [[gnu::vector_size(kLanes<float> * sizeof(Cell))]] = Cell;
  constexpr Floats kLow = Floats{} + std::numeric_limits<Cell>::min();
  constexpr Floats kHigh = Floats{} + std::numeric_limits<Cell>::max();
  const Floats moved = greater(lesser(load<Floats>(from) + 0.5F, kHigh), kLow);
  Words whole = __builtin_convertvector(moved, Words);  // towards 0
  whole += __builtin_convertvector(whole, Floats) > moved;
  store(to, __builtin_convertvector(whole, Cells));
}

template <typename Cell>
void round_row(const float* from, std::int64_t count, Cell* to) {
  std::int64_t i = 0;
  for (; i + kLanes<float> <= count; i += kLanes<float>)
    round_vector(from + i, to + i);
  if (i == count) return;
  float values[kLanes<float>] = {};
  Cell cells[kLanes<float>];
  for (std::int64_t k = 0; i + k < count; ++k)
    values[k] = from[i + k];
  round_vector(values, cells);
  for (std::int64_t k = 0; i + k < count; ++k)
    to[i + k] = cells[k];
}

template <typename Cell>
void lengths_of(const Cell* const* ends, const double* factors, std::int64_t count, float* to) {
  const Cell* const left = ends[0];
  const Cell* const right = ends[1];
  const Cell* const above = ends[2];
  const Cell* const below = ends[3];
  const Cell* const before = ends[4];
  const Cell* const after = ends[5];
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = (static_cast<double>(right[i]) - static_cast<double>(left[i])) * factors[0];
    const double y = (static_cast<double>(below[i]) - static_cast<double>(above[i])) * factors[1];
    const double z = (static_cast<double>(after[i]) - static_cast<double>(before[i])) * factors[2];
    to[i] = static_cast<float>(__builtin_sqrt(x * x + y * y + z * z));
  }
}

/// Selects in `vectors` vectors of cells at once. A number with the next bit set is kept if at most
/// half of the values are below it.
template <int vectors, typename Key>
SEEDWAVE_INLINE void select_block(const Key* from, const std::ptrdiff_t* offsets,
                                  std::int64_t number, Key first, int bits, Key* to) {
  using Keys = typename VectorOf<Key>::Type;
  Keys kept[vectors];
  for (Keys& keys : kept)
    keys = Keys{} + first;
  // Counts have the width of keys. They are unsigned, so that more values fit.
  using Count = std::make_unsigned_t<Key>;
  using Counts = typename VectorOf<Count>::Type;
  const auto half = static_cast<Count>(number / 2);
  for (int bit = bits - 1; bit >= 0; --bit) {
    // In the order of signed numbers the highest bit is inverted; it is cleared to be set.
    const auto flag = static_cast<Key>(std::uint32_t{1} << bit);
    Keys tried[vectors];
    Counts below[vectors];
    for (int j = 0; j < vectors; ++j) {
      tried[j] = kept[j] ^ (Keys{} + flag);
      below[j] = Counts{};
    }
    for (std::int64_t k = 0; k < number; ++k) {
      const Key* values = from + offsets[k];
      for (int j = 0; j < vectors; ++j)
        below[j] -= (Counts)(load<Keys>(values + j * kLanes<Key>) < tried[j]);
    }
    for (int j = 0; j < vectors; ++j)
      kept[j] = below[j] <= half ? tried[j] : kept[j];
  }
  for (int j = 0; j < vectors; ++j)
    store(to + j * kLanes<Key>, kept[j]);
}

template <typename Key>
void select_middle(const Key* from, std::int64_t count, const std::ptrdiff_t* offsets,
                   std::int64_t number, Key first, int bits, Key* to) {
  constexpr int kVectors = 4;
  std::int64_t i = 0;
  for (; i + kVectors * kLanes<Key> <= count; i += kVectors * kLanes<Key>)
    select_block<kVectors>(from + i, offsets, number, first, bits, to + i);
  for (; i < count; i += kLanes<Key>)
    select_block<1>(from + i, offsets, number, first, bits, to + i);
}

constexpr Kernel kKernel{
    .smooth_f32 = {weigh_along<float>, weigh_across<float>},
    .smooth_f64 = {weigh_along<double>, weigh_across<double>},
    .round_u8 = {round_row<std::uint8_t>},
    .round_i16 = {round_row<std::int16_t>},
    .round_u16 = {round_row<std::uint16_t>},
    .gradient_f32 = {lengths_of<float>},
    .gradient_f64 = {lengths_of<double>},
    .select_i8 = {select_middle<std::int8_t>},
    .select_i16 = {select_middle<std::int16_t>},
    .select_i32 = {select_middle<std::int32_t>},
};

}  // namespace
}  // namespace seedwave::filters
