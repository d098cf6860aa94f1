// SPDX-License-Identifier: Apache-2.0
// Included once by each kernel_*.cpp, inside its instruction set. Everything here has internal
// linkage, so the linker cannot mix code for different processors.
#pragma once

#include "core/base/vector_lanes.h"
#include "core/wavefront/geodesic/kernel.h"

#include <cstdint>
#include <utility>

namespace seedwave::geodesic {
namespace {

// Implements StrengthRule lane by lane. An instance of the template with a shared type would be a
// function that the linker may take from either instruction set.
template <typename Vector>
SEEDWAVE_INLINE Vector transfer(const Vector& from, const Vector& limit) {
  return lesser(from, limit);
}
template <typename Vector>
SEEDWAVE_INLINE Vector join(const Vector& a, const Vector& b) {
  return greater(a, b);
}

template <int... i>
using Numbers = std::integer_sequence<int, i...>;
template <int count>
using UpTo = std::make_integer_sequence<int, count>;

/// Lane i takes lane i - 1; the first takes the last of `before`.
template <typename Vector, int... i>
SEEDWAVE_INLINE Vector lanes_up(const Vector& before, const Vector& lanes, Numbers<i...> /*all*/) {
  return __builtin_shufflevector(before, lanes, (i + static_cast<int>(sizeof...(i)) - 1)...);
}
/// Lane i takes lane i + 1; the last takes the first of `behind`.
template <typename Vector, int... i>
SEEDWAVE_INLINE Vector lanes_down(const Vector& lanes, const Vector& behind,
                                  Numbers<i...> /*all*/) {
  return __builtin_shufflevector(lanes, behind, (i + 1)...);
}
/// Concatenates two halves.
template <typename Half, int... i>
SEEDWAVE_INLINE auto both(const Half& first, const Half& second, Numbers<i...> /*all*/) {
  return __builtin_shufflevector(first, second, i...);
}
/// Interleaves the lower halves of each 16 bytes of both, cell by cell. Registers of 32 bytes do
/// not mix their halves.
template <int block, typename Vector, int... i>
SEEDWAVE_INLINE Vector interleave_low(const Vector& a, const Vector& b, Numbers<i...> /*all*/) {
  constexpr int kCount = static_cast<int>(sizeof...(i));
  return __builtin_shufflevector(a, b, (i / block * block + i % block / 2 + i % 2 * kCount)...);
}
template <int block, typename Vector, int... i>
SEEDWAVE_INLINE Vector interleave_high(const Vector& a, const Vector& b, Numbers<i...> /*all*/) {
  constexpr int kCount = static_cast<int>(sizeof...(i));
  return __builtin_shufflevector(
      a, b, (i / block * block + block / 2 + i % block / 2 + i % 2 * kCount)...);
}

template <typename Cell, int side>
struct Plane {
  using Vector = typename VectorOf<Cell>::Type;
  static constexpr int kVectors = side / kLanes<Cell>;
  static constexpr Cell kLowest = static_cast<Cell>(-1) > 0
                                      ? Cell{0}
                                      : static_cast<Cell>(1ULL << (8 * sizeof(Cell) - 1));

  /// A row in registers. Passed only by reference, because copies would go through memory.
  using Row = Vector[kVectors];

  SEEDWAVE_INLINE static void read(const Cell* from, Row& row) {
    for (int v = 0; v < kVectors; ++v)
      row[v] = load<Vector>(from + v * kLanes<Cell>);
  }
  SEEDWAVE_INLINE static void join_with(Row& row, const Cell* other) {
    for (int v = 0; v < kVectors; ++v)
      row[v] = join(row[v], load<Vector>(other + v * kLanes<Cell>));
  }
  /// Joins each cell with its two neighbours; beyond the row there is nothing.
  SEEDWAVE_INLINE static void join_with_both_sides(Row& row) {
    using All = UpTo<kLanes<Cell>>;
    const Vector nothing = Vector{} + kLowest;
    Vector before = nothing;
    for (int v = 0; v < kVectors; ++v) {
      const Vector own = row[v];
      const Vector behind = v + 1 == kVectors ? nothing : row[v + 1];
      row[v] = join(own, join(lanes_up(before, own, All{}), lanes_down(own, behind, All{})));
      before = own;
    }
  }
  /// Raises a row of the plane by `offer`, sets `offer` to the resulting row, and adds the bits
  /// that rose to `risen`.
  SEEDWAVE_INLINE static void raise(Cell* row, const Cell* limits, Row& offer, Vector& risen) {
    for (int v = 0; v < kVectors; ++v) {
      const Vector old = load<Vector>(row + v * kLanes<Cell>);
      const Vector limit = load<Vector>(limits + v * kLanes<Cell>);
      const Vector now = join(old, transfer(offer[v], limit));
      risen |= now ^ old;
      store(row + v * kLanes<Cell>, now);
      offer[v] = now;
    }
  }

  /// Sweeps both ways at once: one chain starts at each end, and they cross in the middle. Rows
  /// past the middle already hold the other chain's offers, which do no harm. Each step depends on
  /// the previous one, so two chains take half the time of one that is twice as long.
  template <bool with_diagonals>
  static bool sweep_rows(Cell* plane, const Cell* limits, const Cell* first_offer,
                         const Cell* last_offer) {
    constexpr int kLast = (side - 1) * side;
    Vector risen = Vector{};
    Row down;
    Row up;
    read(first_offer, down);
    read(last_offer, up);
    raise(plane, limits, down, risen);
    raise(plane + kLast, limits + kLast, up, risen);
    for (int i = 1; i < side; ++i) {
      const int j = side - 1 - i;
      if constexpr (with_diagonals) {
        join_with_both_sides(down);
        join_with_both_sides(up);
      }
      raise(plane + i * side, limits + i * side, down, risen);
      raise(plane + j * side, limits + j * side, up, risen);
    }
    return any(risen);
  }
  static bool sweep(Cell* plane, const Cell* limits, Reach reach, const Cell* first_offer,
                    const Cell* last_offer) {
    return reach == Reach::Straight ? sweep_rows<false>(plane, limits, first_offer, last_offer)
                                    : sweep_rows<true>(plane, limits, first_offer, last_offer);
  }

  static bool sweep_across(const Cell* from, Cell* plane, const Cell* limits, Reach reach) {
    Vector risen = Vector{};
    for (int y = 0; y < side; ++y) {
      const Cell* across = from + y * side;
      Row offer;
      read(across, offer);
      if (reach == Reach::Cross) join_with_both_sides(offer);
      if (reach != Reach::Straight && y > 0) join_with(offer, across - side);
      if (reach != Reach::Straight && y + 1 < side) join_with(offer, across + side);
      if (reach == Reach::Square) join_with_both_sides(offer);
      raise(plane + y * side, limits + y * side, offer, risen);
    }
    return any(risen);
  }

  /// Works in blocks with as many rows as 16 bytes have cells. After log2 of that many shuffles,
  /// row i of a block is its column i. Registers of 32 bytes transpose two blocks, one below the
  /// other, at once.
  static void turn(const Cell* plane, Cell* turned) {
    using Half = typename VectorOf<Cell>::Half;
    constexpr int kBlock = kLanes<Cell> / 2;
#ifdef SEEDWAVE_FOR_AVX2
    using Rows = Vector;
    constexpr int kBlocks = 2;
#else
    using Rows = Half;
    constexpr int kBlocks = 1;
#endif
    using All = UpTo<kBlocks * kBlock>;
    for (int bx = 0; bx < side; bx += kBlock) {
      for (int by = 0; by < side; by += kBlocks * kBlock) {
        Rows rows[kBlock];
        Rows mixed[kBlock];
        for (int i = 0; i < kBlock; ++i) {
          const Cell* row = plane + (by + i) * side + bx;
          if constexpr (kBlocks == 2) {
            rows[i] = both(load<Half>(row), load<Half>(row + kBlock * side), All{});
          } else {
            rows[i] = load<Rows>(row);
          }
        }
        for (int width = 1; width < kBlock; width *= 2) {
          for (int i = 0; i < kBlock / 2; ++i) {
            mixed[2 * i] = interleave_low<kBlock>(rows[i], rows[i + kBlock / 2], All{});
            mixed[2 * i + 1] = interleave_high<kBlock>(rows[i], rows[i + kBlock / 2], All{});
          }
          for (int i = 0; i < kBlock; ++i)
            rows[i] = mixed[i];
        }
        for (int i = 0; i < kBlock; ++i)
          store(turned + (bx + i) * side + by, rows[i]);
      }
    }
  }

  static constexpr PlaneKernel<Cell> kKernel{turn, sweep, sweep_across};
};

}  // namespace
}  // namespace seedwave::geodesic
