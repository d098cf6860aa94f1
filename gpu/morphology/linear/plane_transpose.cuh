// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/morphology/linear/line_words.cuh"

#include <cstddef>
#include <cstdint>

/// Transposition, so that the cells of lines nearer to rows become adjacent.
namespace seedwave::gpu::linear {

inline constexpr int kSquareWords = 32;
inline constexpr int kSquareThreads = 256;

/// Planes whose rows begin with words: widths in cells, distances in words.
struct TransposedPlanes {
  int width;
  int height;
  std::int64_t from_row;
  std::int64_t from_plane;
  std::int64_t to_row;
  std::int64_t to_plane;
};

/// Transposes as many words as a word has cells.
template <typename Cell>
__device__ void transpose_words(std::uint32_t (&words)[kCellsOfWord<Cell>]) {
  if constexpr (sizeof(Cell) == 1) {
    const std::uint32_t a = __byte_perm(words[0], words[1], 0x5140U);  // a0 b0 a1 b1
    const std::uint32_t b = __byte_perm(words[2], words[3], 0x5140U);
    const std::uint32_t c = __byte_perm(words[0], words[1], 0x7362U);  // a2 b2 a3 b3
    const std::uint32_t d = __byte_perm(words[2], words[3], 0x7362U);
    words[0] = __byte_perm(a, b, 0x5410U);
    words[1] = __byte_perm(a, b, 0x7632U);
    words[2] = __byte_perm(c, d, 0x5410U);
    words[3] = __byte_perm(c, d, 0x7632U);
  } else if constexpr (sizeof(Cell) == 2) {
    const std::uint32_t a = words[0];
    words[0] = __byte_perm(a, words[1], 0x5410U);
    words[1] = __byte_perm(a, words[1], 0x7632U);
  }
}

/// Transposes a square per block: 32 words by as many rows as 32 words have cells. Shared memory:
/// the square, 4 KB for each cell of a word. The words of a row are rotated, so that writing
/// columns and reading rows have no bank conflicts. No races: a barrier separates the two.
template <typename Cell>
__global__ void __launch_bounds__(kSquareThreads)
    transpose_kernel(const std::uint32_t* __restrict__ from, const TransposedPlanes planes,
                     std::uint32_t* __restrict__ to) {
  constexpr int kCells = kCellsOfWord<Cell>;
  constexpr int kSide = kSquareWords * kCells;
  constexpr int kRowsAtOnce = kSquareThreads / kSquareWords;
  __shared__ std::uint32_t square[kSide][kSquareWords];
  const int lane = static_cast<int>(threadIdx.x) % kSquareWords;
  const int warp = static_cast<int>(threadIdx.x) / kSquareWords;
  const int x = static_cast<int>(blockIdx.x) * kSide;
  // Starts with the last rows: they were written last and are still in the L2 cache.
  const int y = static_cast<int>(gridDim.y - 1 - blockIdx.y) * kSide;
  from += blockIdx.z * planes.from_plane;
  to += blockIdx.z * planes.to_plane;
  const bool in_row = x + lane * kCells < planes.width;
  std::uint32_t words[kSquareWords / kRowsAtOnce][kCells];
#pragma unroll
  for (int i = 0; i < kSquareWords / kRowsAtOnce; ++i) {
#pragma unroll
    for (int k = 0; k < kCells; ++k) {
      const int row = y + (warp + i * kRowsAtOnce) * kCells + k;
      words[i][k] = in_row && row < planes.height
                        ? __ldg(from + row * planes.from_row + x / kCells + lane)
                        : 0U;
    }
  }
#pragma unroll
  for (int i = 0; i < kSquareWords / kRowsAtOnce; ++i) {
    transpose_words<Cell>(words[i]);
#pragma unroll
    for (int k = 0; k < kCells; ++k)
      square[lane * kCells + k][(warp + i * kRowsAtOnce) ^ lane] = words[i][k];
  }
  __syncthreads();
  if (y + lane * kCells >= planes.height) return;
  for (int column = warp; column < kSide && x + column < planes.width; column += kRowsAtOnce)
    to[(x + column) * planes.to_row + y / kCells + lane] = square[column][lane ^ (column / kCells)];
}

template <typename Cell>
void transpose(const std::uint32_t* from, const TransposedPlanes& planes, int count,
               std::uint32_t* to, const Stream& stream) {
  constexpr int kSide = kSquareWords * kCellsOfWord<Cell>;
  const dim3 grid(static_cast<unsigned>((planes.width + kSide - 1) / kSide),
                  static_cast<unsigned>((planes.height + kSide - 1) / kSide),
                  static_cast<unsigned>(count));
  transpose_kernel<Cell><<<grid, kSquareThreads, 0, stream.get()>>>(from, planes, to);
  check_launch(stream.get());
}

}  // namespace seedwave::gpu::linear
