// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/ordered_cells.h"

#include <cstdint>
#include <limits>
#include <type_traits>

/// Cells of adjacent lines in one word of 32 bits, and the minimum or maximum of two words cell by
/// cell.
namespace seedwave::gpu::linear {

template <typename Cell>
inline constexpr int kCellsOfWord = static_cast<int>(sizeof(std::uint32_t) / sizeof(Cell));

enum class Extreme { Lowest, Highest };

/// Returns the word whose cells all have this value.
template <typename Cell>
[[nodiscard]] constexpr std::uint32_t word_of(Cell value) {
  if constexpr (sizeof(Cell) == 1) return 0x01010101U * value;
  if constexpr (sizeof(Cell) == 2) return 0x00010001U * value;
  return static_cast<std::uint32_t>(value);
}
/// The word that leaves any other word unchanged.
template <typename Cell, Extreme extreme>
inline constexpr std::uint32_t kNeutralWord =
    word_of<Cell>(extreme == Extreme::Lowest ? std::numeric_limits<Cell>::max()
                                             : std::numeric_limits<Cell>::lowest());

/// A word in the form that the instructions accept. There are none for four bytes, but there is one
/// for two numbers of 16 bits. Each byte becomes the upper byte of such a number; the byte below it
/// does not matter.
template <typename Cell>
struct Parts {
  std::uint32_t whole;
  [[nodiscard]] static __device__ Parts of(std::uint32_t word) { return {word}; }
  [[nodiscard]] __device__ std::uint32_t word() const { return whole; }
};
template <>
struct Parts<std::uint8_t> {
  std::uint32_t odd;
  std::uint32_t even;
  [[nodiscard]] static __device__ Parts of(std::uint32_t word) { return {word, word << 8U}; }
  [[nodiscard]] __device__ std::uint32_t word() const { return __byte_perm(even, odd, 0x7351U); }
};

template <Extreme extreme>
__device__ std::uint32_t extreme_of_halves(std::uint32_t a, std::uint32_t b) {
  return extreme == Extreme::Lowest ? __vminu2(a, b) : __vmaxu2(a, b);
}

template <Extreme extreme, typename Cell>
__device__ Parts<Cell> extreme_of(const Parts<Cell>& a, const Parts<Cell>& b) {
  if constexpr (sizeof(Cell) == 1) {
    return {extreme_of_halves<extreme>(a.odd, b.odd), extreme_of_halves<extreme>(a.even, b.even)};
  } else if constexpr (sizeof(Cell) == 2) {
    return {extreme_of_halves<extreme>(a.whole, b.whole)};
  } else {
    const auto x = static_cast<std::int32_t>(a.whole);
    const auto y = static_cast<std::int32_t>(b.whole);
    return {static_cast<std::uint32_t>(extreme == Extreme::Lowest ? min(x, y) : max(x, y))};
  }
}

template <Extreme extreme, typename Cell>
__device__ std::uint32_t extreme_word(std::uint32_t a, std::uint32_t b) {
  return extreme_of<extreme>(Parts<Cell>::of(a), Parts<Cell>::of(b)).word();
}

/// Converts voxels to cells like to_cell(); `turned` is all ones for closings, else 0.
template <typename Voxel>
__device__ std::uint32_t cells_of(std::uint32_t voxels, std::uint32_t turned) {
  if constexpr (std::is_same_v<Voxel, float>) {
    return static_cast<std::uint32_t>(to_cell(__uint_as_float(voxels), false)) ^ turned;
  } else if constexpr (std::is_same_v<Voxel, std::int16_t>) {
    return voxels ^ 0x80008000U ^ turned;
  } else {
    return voxels ^ turned;
  }
}

/// Converts cells to voxels. A float that no window contains becomes finite.
template <typename Voxel>
__device__ std::uint32_t voxels_of(std::uint32_t cells, std::uint32_t turned) {
  if constexpr (std::is_same_v<Voxel, float>) {
    constexpr float kFinite = std::numeric_limits<float>::max();
    if (cells == word_of(std::numeric_limits<std::int32_t>::lowest()))
      return __float_as_uint(turned == 0 ? -kFinite : kFinite);
    return __float_as_uint(from_cell<float>(static_cast<std::int32_t>(cells ^ turned), false));
  } else if constexpr (std::is_same_v<Voxel, std::int16_t>) {
    return cells ^ 0x80008000U ^ turned;
  } else {
    return cells ^ turned;
  }
}

/// Returns the number of bits of `cells` cells, limited to 0 .. the bits of a word.
template <typename Cell>
__device__ unsigned bits_of(int cells) {
  constexpr int kBits = 8 * static_cast<int>(sizeof(Cell));
  return static_cast<unsigned>(min(max(cells, 0), kCellsOfWord<Cell>) * kBits);
}
/// Returns a mask of the cells of a word beginning at x that lie in a row of `width`.
template <typename Cell>
__device__ std::uint32_t inside_mask(int x, int width) {
  constexpr std::uint32_t kAll = 0xFFFFFFFFU;
  return __funnelshift_lc(0U, kAll, bits_of<Cell>(-x)) &
         __funnelshift_rc(kAll, 0U, bits_of<Cell>(x + kCellsOfWord<Cell> - width));
}

}  // namespace seedwave::gpu::linear
