// SPDX-License-Identifier: Apache-2.0
// Included once by each kernel_*.cpp, inside its instruction set. Everything here has internal
// linkage, so the linker cannot mix code for different processors.
#pragma once

#include "core/base/vector_lanes.h"
#include "core/morphology/distance/kernel.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace seedwave::distance {
namespace {

/// Returns whether any lane of `a` is greater than that of `b`. There is no instruction that
/// compares unsigned words, but one for their minimum.
template <typename Cell, typename Vector>
SEEDWAVE_INLINE bool any_more(const Vector& a, const Vector& b) {
  if constexpr (std::is_same_v<Cell, std::uint16_t>) {
    return any(lesser(a, b) ^ a);
  } else {
    return any(a > b);
  }
}

using Bytes = VectorOf<std::uint8_t>::Type;
using Steps = VectorOf<std::uint16_t>::Type;
using HalfBytes = VectorOf<std::uint8_t>::Half;
constexpr int kColumns = kLanes<std::uint8_t>;

/// Calls body(voxels, column) for each vector of a row's voxels. Voxels beyond the row count as
/// object.
template <typename Body>
SEEDWAVE_INLINE void for_columns(const std::uint8_t* row, std::int64_t columns, Body&& body) {
  std::int64_t at = 0;
  for (; at + kColumns <= columns; at += kColumns)
    body(row + at, at);
  if (at == columns) return;
  std::uint8_t rest[kColumns];
  for (int i = 0; i < kColumns; ++i)
    rest[i] = at + i < columns ? row[at + i] : std::uint8_t{1};
  body(rest, at);
}

void mark(const std::uint8_t* row, std::int64_t columns, std::uint8_t number, std::uint8_t* first,
          std::uint8_t* last) {
  const Bytes numbers = Bytes{} + number;
  for_columns(row, columns, [&](const std::uint8_t* voxels, std::int64_t at) {
    const auto background = __builtin_bit_cast(Bytes, load<Bytes>(voxels) == 0);
    store(last + at, greater(load<Bytes>(last + at), numbers & background));
    store(first + at, lesser(load<Bytes>(first + at), numbers | ~background));
  });
}

void count(const std::uint8_t* row, std::int64_t columns, const std::uint16_t* before,
           std::uint16_t* after) {
  for_columns(row, columns, [&](const std::uint8_t* voxels, std::int64_t at) {
    for (int half = 0; half < 2; ++half) {
      const auto wide = __builtin_convertvector(load<HalfBytes>(voxels + half * 16), Steps);
      const auto object = __builtin_bit_cast(Steps, wide != 0);
      const std::int64_t to = at + half * 16;
      store(after + to, (load<Steps>(before + to) + 1) & object);
    }
  });
}

void count_wide(const std::uint8_t* row, std::int64_t columns, const std::uint32_t* before,
                std::uint32_t* after) {
  for (std::int64_t i = 0; i < columns; ++i)
    after[i] = row[i] != 0 ? before[i] + 1 : 0;
}

bool square(const std::uint16_t* down, const std::uint16_t* up, std::int64_t columns,
            std::uint16_t* squares) {
  constexpr std::uint16_t kLargest = 247;  // the largest count whose square is below kUnknown
  static_assert(kLargest * kLargest < kUnknown<std::uint16_t> &&
                (kLargest + 1) * (kLargest + 1) >= kUnknown<std::uint16_t>);
  const Steps largest = Steps{} + kLargest;
  const Steps unknown = Steps{} + kUnknown<std::uint16_t>;
  Steps all = Steps{};
  for (std::int64_t at = 0; at < columns; at += kLanes<std::uint16_t>) {
    const Steps steps = lesser(load<Steps>(down + at), load<Steps>(up + at));
    all |= steps;
    const auto fits = __builtin_bit_cast(Steps, steps == lesser(steps, largest));
    store(squares + at, (steps * steps & fits) | (unknown & ~fits));
  }
  return any(all);
}

void square_wide(const std::uint16_t* down, const std::uint16_t* up, std::int64_t columns,
                 std::int32_t* squares) {
  for (std::int64_t i = 0; i < columns; ++i) {
    const std::int32_t steps = down[i] < up[i] ? down[i] : up[i];
    squares[i] = steps * steps;
  }
}

template <typename Cell>
struct Near {
  using Vector = typename VectorOf<Cell>::Type;
  static constexpr int kVector = kLanes<Cell>;
  /// Number of steps tried before far() is considered faster.
  static constexpr int kPatience = 8;

  static bool near(const Cell* cells, std::int64_t blocks, std::ptrdiff_t stride,
                   const Cell* squares, Cell* least, std::uint8_t* far) {
    bool any_far = false;
    const Vector most = Vector{} + squares[kReach];
    for (std::int64_t b = 0; b < blocks; ++b) {
      const Cell* at = cells + b * kBlock<Cell>;
      Vector low = load<Vector>(at);
      Vector high = load<Vector>(at + kVector);
      bool done = false;
      for (int k = 1; !done; k += 2) {
        const Vector one = Vector{} + squares[k];
        done = !any_more<Cell>(greater(low, high), one);
        if (done || k == kReach) break;
        if (k == kPatience + 1 && any_more<Cell>(greater(low, high), most)) break;
        const Vector two = Vector{} + squares[k + 1];
        const Cell* left = at - k * stride;
        const Cell* right = at + k * stride;
        low = lesser(low, lesser(load<Vector>(left), load<Vector>(right)) + one);
        high =
            lesser(high, lesser(load<Vector>(left + kVector), load<Vector>(right + kVector)) + one);
        left -= stride;
        right += stride;
        low = lesser(low, lesser(load<Vector>(left), load<Vector>(right)) + two);
        high =
            lesser(high, lesser(load<Vector>(left + kVector), load<Vector>(right + kVector)) + two);
      }
      far[b] = done ? 0 : 1;
      any_far |= !done;
      store(least + b * kBlock<Cell>, low);
      store(least + b * kBlock<Cell> + kVector, high);
    }
    return any_far;
  }
};

template <typename Value>
struct Far {
  using Vector = typename VectorOf<Value>::Type;
  static constexpr int kVector = kLanes<Value>;
  using Index = decltype(Vector{} < Vector{});
  /// Number of outputs that share one range of candidates.
  static constexpr int kOutputs = 4 * kVector;

  SEEDWAVE_INLINE static Vector square(const Vector& apart, Value weight) {
    if constexpr (sizeof(Value) == sizeof(std::int64_t) && static_cast<Value>(0.5) == 0) {
      return (apart * apart) << 32;  // above the name
    } else {
      return apart * apart * weight;
    }
  }

  /// Returns the first of the candidates low..high that is nearest to a position. May also examine
  /// candidates beyond `high` in the same vector: none of them can be nearer.
  SEEDWAVE_INLINE static std::int32_t first_best(const Candidates<Value>& candidates, Value place,
                                                 Value weight, std::int64_t low,
                                                 std::int64_t high) {
    const Vector places = Vector{} + place;
    Vector best = Vector{} + kUnknown<Value>;
    Index where = Index{};
    Index index = Index{};
    for (int lane = 0; lane < kVector; ++lane)
      index[lane] = lane;
    for (std::int64_t i = low; i <= high; i += kVector) {
      const Vector apart = load<Vector>(candidates.places + i) - places;
      const Vector here = load<Vector>(candidates.values + i) + square(apart, weight);
      const Index nearer = here < best;
      best = nearer ? here : best;
      where = nearer ? index : where;
      index += kVector;
    }
    int lane = 0;
    for (int l = 1; l < kVector; ++l) {
      if (best[l] < best[lane] || (best[l] == best[lane] && where[l] < where[lane])) lane = l;
    }
    return static_cast<std::int32_t>(low + where[lane]);
  }

  /// The position of the nearest candidate never decreases along the line, because the difference
  /// of two candidates' squares is monotone. So it is found for every kOutputs-th position by
  /// binary search. The outputs between two of them examine only the candidates between theirs.
  static void far(const Candidates<Value>& candidates, std::int64_t first, std::int64_t last,
                  Value weight, const Value* squares, std::int32_t* best, Value* least) {
    const std::int64_t blocks = (last - first + kOutputs - 1) / kOutputs;
    if (candidates.count == 0) {
      for (std::int64_t i = 0; i < blocks * kOutputs; ++i)
        least[i] = kUnknown<Value>;
      return;
    }
    const auto find = [&](std::int64_t block, std::int64_t low, std::int64_t high) {
      const std::int64_t place = block == blocks ? last - 1 : first + block * kOutputs;
      best[block] = first_best(candidates, static_cast<Value>(place), weight, low, high);
    };
    find(0, 0, candidates.count - 1);
    find(blocks, best[0], candidates.count - 1);
    std::int64_t step = 1;
    while (step < blocks)
      step *= 2;
    for (; step > 1; step /= 2) {
      for (std::int64_t b = step / 2; b < blocks; b += step)
        find(b, best[b - step / 2], best[b + step / 2 < blocks ? b + step / 2 : blocks]);
    }
    for (std::int64_t b = 0; b < blocks; ++b) {
      Vector nearest[4];
      for (Vector& lanes : nearest)
        lanes = Vector{} + kUnknown<Value>;
      for (std::int64_t i = best[b]; i <= best[b + 1]; ++i) {
        const Vector value = Vector{} + candidates.values[i];
        const Value* apart =
            squares + (first + b * kOutputs - static_cast<std::int64_t>(candidates.places[i]));
        for (int v = 0; v < 4; ++v)
          nearest[v] = lesser(nearest[v], load<Vector>(apart + v * kVector) + value);
      }
      for (int v = 0; v < 4; ++v)
        store(least + b * kOutputs + v * kVector, nearest[v]);
    }
  }
};

constexpr float kInfiniteLength = __builtin_huge_valf();

// If f32 holds the squares exactly and the unit is 1, f32's root equals f64's rounded to f32. f64
// has at least twice f32's digits and two more, so the double rounding is harmless.

void root_u16(const std::uint16_t* squares, std::int64_t count, double unit, float* lengths) {
  if (unit == 1.0) {
    for (std::int64_t i = 0; i < count; ++i)
      lengths[i] = __builtin_sqrtf(static_cast<float>(squares[i]));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i)
    lengths[i] = static_cast<float>(unit * __builtin_sqrt(static_cast<double>(squares[i])));
}

void root_u16_strip(const std::uint16_t* squares, std::int64_t rows, double unit, float* lengths,
                    std::ptrdiff_t stride) {
  constexpr int kWidth = kBlock<std::uint16_t>;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::uint16_t* from = squares + row * kWidth;
    float* to = lengths + row * stride;
    if (unit != 1.0) {
      root_u16(from, kWidth, unit, to);
      continue;
    }
    for (int i = 0; i < kWidth; ++i)
      to[i] = __builtin_sqrtf(static_cast<float>(from[i]));
  }
}

void root_i32(const std::int32_t* squares, std::int64_t count, double unit, float* lengths) {
  constexpr int kWhole = 1 << 24;
  std::int32_t largest = 0;
  for (std::int64_t i = 0; i < count; ++i)
    largest = squares[i] > largest ? squares[i] : largest;
  if (unit == 1.0 && largest <= kWhole) {
    for (std::int64_t i = 0; i < count; ++i)
      lengths[i] = __builtin_sqrtf(static_cast<float>(squares[i]));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const auto length = static_cast<float>(unit * __builtin_sqrt(static_cast<double>(squares[i])));
    lengths[i] = squares[i] < kUnknown<std::int32_t> ? length : kInfiniteLength;
  }
}

void root_f64(const double* squares, std::int64_t count, double unit, float* lengths) {
  for (std::int64_t i = 0; i < count; ++i)
    lengths[i] = static_cast<float>(unit * __builtin_sqrt(squares[i]));
}

constexpr Kernel kKernel{.steps = {mark, count, count_wide, square, square_wide},
                         .near_u16 = {Near<std::uint16_t>::near},
                         .near_i32 = {Near<std::int32_t>::near},
                         .near_i64 = {Near<std::int64_t>::near},
                         .near_f64 = {Near<double>::near},
                         .far_i32 = {Far<std::int32_t>::far},
                         .far_i64 = {Far<std::int64_t>::far},
                         .far_f64 = {Far<double>::far},
                         .roots = {root_u16, root_i32, root_u16_strip, root_f64}};

}  // namespace
}  // namespace seedwave::distance
