// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/texture/box_plan.h"

#include <cstdint>
#include <type_traits>

/// Converts an image of phases into the bits and cells from which correlations are counted. Pixels
/// outside the image belong to no phase.
namespace seedwave::gpu::texture {

/// Rows of an image of phases 1 .. phases on the device.
struct PhaseRows {
  const std::uint16_t* labels;
  int columns;
  int rows;
  int phases;

  __device__ bool belongs(int x, int y, int phase) const {
    return x >= 0 && x < columns && y >= 0 && y < rows &&
           labels[std::int64_t{y} * columns + x] == phase + 1;
  }
};

/// Words of cells, each for four phases with one byte per phase. The lower half of a byte tells
/// whether the pixel belongs to the phase, the upper half whether the next pixel does. Each word
/// therefore serves two windows. Place 0 is the column left of the image.
struct CellPlanes {
  std::uint32_t* words;
  int half;            // see CellRow
  std::int64_t plane;  // words between two groups of four phases
};

static __global__ void cells_kernel(const PhaseRows picture, const CellPlanes cells) {
  const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int pitch = 2 * cells.half;
  if (place >= pitch) return;
  const int fours = (picture.phases + 3) / 4;
  for (int y = static_cast<int>(blockIdx.y); y < picture.rows; y += static_cast<int>(gridDim.y)) {
    const auto label_at = [&](int x) {
      const bool inside = x >= 0 && x < picture.columns;
      return inside ? picture.labels[std::int64_t{y} * picture.columns + x] : 0;
    };
    const int phase = label_at(place - 1) - 1;
    const int next = label_at(place) - 1;
    for (int four = 0; four < fours; ++four) {
      std::uint32_t word = 0;
      if (phase >= 0 && phase / 4 == four) word |= 0x01U << (8 * (phase % 4));
      if (next >= 0 && next / 4 == four) word |= 0x10U << (8 * (next % 4));
      cells.words[four * cells.plane + std::int64_t{y} * pitch + (place & 1) * cells.half +
                  place / 2] = word;
    }
  }
}

inline constexpr int kWordBits = 32;

/// Layout of words of bits: `2 * words` of them per phase, `stride` apart. The second half is zero,
/// so that a shifted word may be read.
struct BitWords {
  std::uint32_t* bits;
  int words;
  int stride;

  __device__ std::uint32_t* of(int group, int phases, int phase) const {
    return bits + (std::int64_t{group} * phases + phase) * 2 * words * stride;
  }
};

/// Returns word `word` of a window, with the bits of 32 cells.
template <typename Belongs>
__device__ std::uint32_t word_of(int word, int words, int window, const Belongs& belongs) {
  std::uint32_t bits = 0;
  if (word >= words) return bits;
  const int end = min(kWordBits, window - kWordBits * word);
#pragma unroll 8
  for (int i = 0; i < kWordBits; ++i)
    bits |= static_cast<std::uint32_t>(i < end && belongs(kWordBits * word + i)) << i;
  return bits;
}

/// Writes rows of windows in the column before each block's first. Groups are the adjacent blocks;
/// a row's place is its index plus `window`. One warp per row and block, blockDim.x / 32 rows per
/// block of threads.
static __global__ void row_bits_kernel(const PhaseRows picture, int window, const BitWords bits) {
  const auto lane = static_cast<int>(threadIdx.x % kWordBits);
  const int place = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / kWordBits);
  if (place >= bits.stride) return;
  const int block = static_cast<int>(blockIdx.y);
  const int y = place - window;
  for (int word = 0; word < 2 * bits.words; ++word) {
    const int in_window = kWordBits * word + lane;
    const int x = block * kWindows - 1 + in_window;
    const bool inside =
        in_window < window && x >= 0 && x < picture.columns && y >= 0 && y < picture.rows;
    const int phase = inside ? picture.labels[std::int64_t{y} * picture.columns + x] - 1 : -1;
    std::uint32_t own = 0;
    for (int i = 0; i < picture.phases; ++i) {
      const std::uint32_t belongs = __ballot_sync(~0U, phase == i);
      if (lane == i) own = belongs;
    }
    if (lane < picture.phases)
      bits.of(block, picture.phases, lane)[std::int64_t{word} * bits.stride + place] = own;
  }
}

/// Writes columns of windows in the first row of each segment of `segment_rows`. Groups are the
/// segments; a column's place is its index plus 1.
static __global__ void column_bits_kernel(const PhaseRows picture, int window, int segment_rows,
                                          const BitWords bits) {
  const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (place >= bits.stride) return;
  const int word = static_cast<int>(blockIdx.y) % (2 * bits.words);
  const int phase = static_cast<int>(blockIdx.y) / (2 * bits.words);
  const auto segment = static_cast<int>(blockIdx.z);
  bits.of(segment, picture.phases, phase)[std::int64_t{word} * bits.stride + place] =
      word_of(word, bits.words, window,
              [&](int i) { return picture.belongs(place - 1, segment * segment_rows + i, phase); });
}

/// Calls `call` with the number of words of a window as a constant, 1 .. 8.
template <typename Call>
void with_words(int words, const Call& call) {
  static_assert(kLargestWindow <= 8 * kWordBits);
  switch (words) {
    case 1:
      return call(std::integral_constant<int, 1>());
    case 2:
      return call(std::integral_constant<int, 2>());
    case 3:
      return call(std::integral_constant<int, 3>());
    case 4:
      return call(std::integral_constant<int, 4>());
    default:
      return call(std::integral_constant<int, 8>());
  }
}
/// Returns the number of words of a row of a window's bits, rounded up to a number that
/// with_words() supports.
constexpr int words_of_window(int window) {
  const int words = (window + kWordBits - 1) / kWordBits;
  return words <= 4 ? words : 8;
}

/// Returns the number of bits that `a` and `b` have in common if b's bits are `by` places ahead.
template <int words>
__device__ int common_bits(const std::uint32_t* a, const std::uint32_t* b, int stride, int by) {
  if constexpr (words == 1) return __popc(a[0] & (b[0] >> by));
  const std::uint32_t* from = b + std::int64_t{by / 32} * stride;
  std::uint32_t low = from[0];
  int count = 0;
#pragma unroll
  for (int i = 0; i < words; ++i) {
    const std::uint32_t high = from[std::int64_t{i + 1} * stride];
    count += __popc(a[std::int64_t{i} * stride] & __funnelshift_r(low, high, by & 31));
    low = high;
  }
  return count;
}

}  // namespace seedwave::gpu::texture
