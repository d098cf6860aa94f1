// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/image/geometry.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/launch.h"

#include <cstdint>

/// Sets of cells as bits, and lists of cells made from them.
namespace seedwave::gpu {

/// A cell as a number: its word times 32, plus its bit.
using CellCode = std::uint32_t;

/// A grid whose rows are words of 32 cells along x. The last word of a row may have bits beyond the
/// image.
struct CellWords {
  int nx = 0;
  int ny = 0;
  int nz = 0;
  int row = 0;  // words of a row

  [[nodiscard]] static CellWords of(const Index3& size) {
    return {static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2]),
            static_cast<int>((size[0] + 31) / 32)};
  }
  /// Returns whether every cell of a grid has a code.
  [[nodiscard]] static bool can_hold(const Index3& size) {
    const double cells = static_cast<double>((size[0] + 31) / 32 * 32) *
                         static_cast<double>(size[1]) * static_cast<double>(size[2]);
    return cells < 2147483648.0;
  }

  [[nodiscard]] SEEDWAVE_HD std::uint32_t count() const {
    return static_cast<std::uint32_t>(row) * static_cast<std::uint32_t>(ny) *
           static_cast<std::uint32_t>(nz);
  }
  /// Returns the offset in the image of a word's first cell.
  [[nodiscard]] SEEDWAVE_HD std::uint32_t first_cell(std::uint32_t word) const {
    const std::uint32_t line = word / row;
    return line * nx + (word - line * row) * 32U;
  }
  /// Returns the code of the cell at an offset in the image.
  [[nodiscard]] SEEDWAVE_HD CellCode code_of(std::int64_t offset) const {
    const std::int64_t line = offset / nx;
    const auto x = static_cast<std::uint32_t>(offset - line * nx);
    return (static_cast<std::uint32_t>(line) * row + x / 32U) << 5 | x % 32U;
  }
  /// Returns the bits of a word that lie in the image.
  [[nodiscard]] SEEDWAVE_HD std::uint32_t inside(std::uint32_t word) const {
    const int left = nx - static_cast<int>(word % row) * 32;
    return left >= 32 ? 0xFFFFFFFFU : (1U << left) - 1U;
  }
};

/// A cell with its place.
struct PlacedCell {
  std::uint32_t word;
  int bit;
  int x;
  int y;
  int z;

  SEEDWAVE_HD PlacedCell(const CellWords& words, CellCode code)
      : word(code >> 5), bit(static_cast<int>(code & 31U)) {
    const std::uint32_t line = word / words.row;
    x = static_cast<int>(word - line * words.row) * 32 + bit;
    z = static_cast<int>(line / words.ny);
    y = static_cast<int>(line) - z * words.ny;
  }
  /// Goes to the same bit of the next word, without the divisions of a new place.
  SEEDWAVE_HD void go_to_next_word(const CellWords& words) {
    ++word;
    x += 32;
    if (x - bit < words.row * 32) return;
    x = bit;
    if (++y < words.ny) return;
    y = 0;
    ++z;
  }
  /// Returns the offset in the image.
  [[nodiscard]] SEEDWAVE_HD std::int64_t offset(const CellWords& words) const {
    return x + std::int64_t{words.nx} * (y + std::int64_t{words.ny} * z);
  }
};

/// A face neighbour.
struct FaceNeighbour {
  bool exists;
  CellCode code;
  std::int64_t step;  // to its offset
};

/// Returns the neighbour in a direction, as numbered in CutCell.
[[nodiscard]] SEEDWAVE_HD inline FaceNeighbour face_neighbour(const CellWords& words,
                                                              const PlacedCell& cell,
                                                              int direction) {
  const bool up = direction % 2 == 0;
  const int axis = direction / 2;
  const int place = axis == 0 ? cell.x : axis == 1 ? cell.y : cell.z;
  const int size = axis == 0 ? words.nx : axis == 1 ? words.ny : words.nz;
  const CellCode code = (cell.word << 5) | static_cast<CellCode>(cell.bit);
  const std::uint32_t stride = axis == 0
                                   ? 1U
                                   : 32U * static_cast<std::uint32_t>(words.row) *
                                         (axis == 1 ? 1U : static_cast<std::uint32_t>(words.ny));
  const std::int64_t step = axis == 0   ? 1
                            : axis == 1 ? words.nx
                                        : std::int64_t{words.nx} * words.ny;
  return {up ? place + 1 < size : place > 0, up ? code + stride : code - stride, up ? step : -step};
}

#ifdef __CUDACC__

/// Words of cells that a warp reads one after the other: more blocks would take longer to start
/// than to run.
inline constexpr std::uint32_t kWordsOfWarp = 8;

/// Calls body(word, cell of this lane) for the words of a warp. All lanes call it together.
template <typename Body>
__device__ void for_words_of_warp(const CellWords& words, const Body& body) {
  const std::uint32_t first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * kWordsOfWarp;
  PlacedCell cell(words, first << 5 | threadIdx.x % 32);
#pragma unroll
  for (std::uint32_t k = 0; k < kWordsOfWarp; ++k) {
    if (first + k < words.count()) body(first + k, cell);
    cell.go_to_next_word(words);
  }
}
/// Number of blocks for such a kernel.
[[nodiscard]] inline unsigned warp_blocks(const CellWords& words) {
  return blocks_for((std::int64_t{words.count()} + kWordsOfWarp - 1) / kWordsOfWarp * 32);
}

/// Calls body(bit) for the bits of a word.
template <typename Body>
__device__ void for_bits(std::uint32_t bits, const Body& body) {
  for (; bits != 0; bits &= bits - 1)
    body(__ffs(static_cast<int>(bits)) - 1);
}

/// Adds the numbers of a block's threads and reserves as many places. Returns the first place of
/// this thread. All threads of a block of kBlockSize call it; synchronises them.
[[nodiscard]] __device__ inline std::uint32_t reserved_in_block(std::uint32_t number,
                                                                std::uint32_t* counter) {
  __shared__ std::uint32_t of_warp[kBlockSize / 32];
  __shared__ std::uint32_t first;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  std::uint32_t up_to = number;
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint32_t before = __shfl_up_sync(0xFFFFFFFFU, up_to, step);
    if (lane >= step) up_to += before;
  }
  if (lane == 31) of_warp[warp] = up_to;
  __syncthreads();
  std::uint32_t before = 0;
  std::uint32_t all = 0;
  for (unsigned k = 0; k < kBlockSize / 32; ++k) {
    if (k < warp) before += of_warp[k];
    all += of_warp[k];
  }
  if (threadIdx.x == 0) first = all == 0 ? 0 : atomicAdd(counter, all);
  __syncthreads();
  return first + before + up_to - number;
}

/// Appends a value to a list for the threads that want it. All threads of a block call it.
template <typename T>
__device__ void append(bool wanted, const T& value, T* list, std::uint32_t* counter) {
  const unsigned wanting = __ballot_sync(0xFFFFFFFFU, wanted);
  const unsigned lane = threadIdx.x % 32;
  std::uint32_t first = 0;
  if (lane == 0 && wanting != 0)
    first = atomicAdd(counter, static_cast<std::uint32_t>(__popc(wanting)));
  first = __shfl_sync(0xFFFFFFFFU, first, 0);
  if (wanted) list[first + __popc(wanting & ((1U << lane) - 1U))] = value;
}

/// Lists the cells of a set, those of a word together. One thread per word; no races but for the
/// order of blocks.
static __global__ void __launch_bounds__(kBlockSize)
    list_cells_kernel(const std::uint32_t* __restrict__ bits, std::uint32_t words,
                      std::uint32_t* __restrict__ counter, CellCode* __restrict__ cells) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t rest = word < words ? bits[word] : 0;
  std::uint32_t place = reserved_in_block(static_cast<std::uint32_t>(__popc(rest)), counter);
  for (; rest != 0; rest &= rest - 1)
    cells[place++] = (word << 5) | static_cast<CellCode>(__ffs(static_cast<int>(rest)) - 1);
}

#endif

}  // namespace seedwave::gpu
