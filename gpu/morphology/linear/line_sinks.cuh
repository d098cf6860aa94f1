// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/morphology/linear/line_task.cuh"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Destinations for words of opened cells. A number of lanes, half a warp or less, hold one row's
/// words from line to line. They call together, each with eight rows.
namespace seedwave::gpu::linear {

inline constexpr unsigned kAllLanes = 0xFFFFFFFFU;
/// Number of words of most tiles' rows, one per lane.
inline constexpr int kTileWords = 16;

/// Eight rows of one word: places first .. end - 1, possibly fewer than eight.
struct OpenedBlock {
  int first;
  int end;
  int line;   // the word's first line
  int lane;   // index of the word within the row
  int other;  // base along the third axis
};

/// Writes to an image with the rows of the task's image. Words may be unaligned in memory, but
/// whole aligned words are stored: each lane joins its word's beginning to its neighbour's end. The
/// first lane has no neighbour and stores nothing; its word is also the last one of the previous
/// tile.
template <typename Voxel>
struct ToImage {
  /// Number of words that a tile shares with the next one.
  static constexpr int kCommonWords = 1;

  std::byte* to;

  template <int kLanes>
  __device__ void put(const LineTask& task, const LineRule& rule, const OpenedBlock& block,
                      const std::uint32_t (&rows)[kBlockRows]) const {
    using Cell = CellOf<Voxel>;
    constexpr int kCells = kCellsOfWord<Cell>;
    std::uint32_t words[kBlockRows];
    std::uint32_t before[kBlockRows];
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t) {
      words[t] = voxels_of<Voxel>(rows[t], rule.turned);
      before[t] = __shfl_up_sync(kAllLanes, words[t], 1, kLanes);
    }
    if (block.lane == 0 || block.first >= block.end) return;
    const int base = task.first_base + block.line;
    if (block.first + kBlockRows <= block.end &&
        whereabouts<Cell>(task, block.first, base - kCells, block.other, 2 * kCells) ==
            Whereabouts::Inside) {
      const InsideBlock<Voxel> inside(task, block.first, base, block.other);
#pragma unroll
      for (int t = 0; t < kBlockRows; ++t) {
        const auto address =
            reinterpret_cast<std::uintptr_t>(to + (inside.at(task, t) - task.from));
        *reinterpret_cast<std::uint32_t*>(address & ~std::uintptr_t{3}) =
            __funnelshift_l(before[t], words[t], static_cast<unsigned>(address & 3U) * 8U);
      }
      return;
    }
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t) {
      if (block.first + t < block.end)
        store(task, place_of(task, block.first + t, base, block.other), before[t], words[t]);
    }
  }

 private:
  __device__ void store(const LineTask& task, const WordPlace& place, std::uint32_t before,
                        std::uint32_t word) const {
    constexpr int kBytes = 4;
    constexpr int kSize = sizeof(Voxel);
    const int width = task.width * kSize;
    if (place.x <= -kBytes || place.x >= task.width + kBytes) return;
    std::byte* const row = to + (place.row - task.from);
    const auto turn = static_cast<int>(
        reinterpret_cast<std::uintptr_t>(row + std::int64_t{place.x} * kSize) & 3U);
    const int aligned = place.x * kSize - turn;
    const std::uint32_t bytes = __funnelshift_l(before, word, 8 * turn);
    if (aligned >= 0 && aligned + kBytes <= width) {
      *reinterpret_cast<std::uint32_t*>(row + aligned) = bytes;
      return;
    }
    for (int k = 0; k < kBytes; ++k) {
      if (aligned + k >= 0 && aligned + k < width)
        row[aligned + k] = static_cast<std::byte>(bytes >> (8 * k) & 0xFFU);
    }
  }
};

/// Writes lines side by side, as the cells of the opened voxels, at the position that the task
/// gives. 2-D only.
template <typename Voxel>
struct ToLines {
  static constexpr int kCommonWords = 0;

  std::byte* to;

  template <int /*kLanes*/>
  __device__ void put(const LineTask& task, const LineRule& rule, const OpenedBlock& block,
                      const std::uint32_t (&rows)[kBlockRows]) const {
    std::byte* const first = to + task.opened + std::int64_t{block.line} * int{sizeof(Voxel)};
#pragma unroll
    for (int t = 0; t < kBlockRows; ++t) {
      if (block.first + t < block.end)
        *reinterpret_cast<std::uint32_t*>(first + (block.first + t) * task.pitch) =
            cells_of<Voxel>(voxels_of<Voxel>(rows[t], rule.turned), rule.turned);
    }
  }
};

/// Adds up integer voxels, with one sum for each task of the launch.
template <typename Voxel>
struct ToSum {
  using Cell = CellOf<Voxel>;
  static constexpr int kCommonWords = 0;

  long long* sums;

  template <int /*kLanes*/>
  __device__ void put(const LineTask& task, const LineRule& rule, const OpenedBlock& block,
                      const std::uint32_t (&rows)[kBlockRows]) const {
    Sum sum = 0;
    const int base = task.first_base + block.line;
    const int end = min(block.end, task.own_places.end);
    if (is_own(task, block, base, end)) {
#pragma unroll
      for (int t = 0; t < kBlockRows; ++t)
        sum += sum_of(voxels_of<Voxel>(rows[t], rule.turned));
    } else if (block.first < end &&
               whereabouts<Cell>(task, block.first, base, block.other) != Whereabouts::Beside) {
#pragma unroll
      for (int t = 0; t < kBlockRows; ++t) {
        const int place = block.first + t;
        if (place >= end || place < task.own_places.first) continue;
        if (task.beside != nullptr && !task.own_others.has(block.other + task.beside[place]))
          continue;
        const int x = base + task.across[place] - task.own_x.first;
        sum += sum_of(voxels_of<Voxel>(rows[t], rule.turned) &
                      inside_mask<Cell>(x, task.own_x.end - task.own_x.first));
      }
    }
    const Sum of_lanes = sum_of_lanes(sum);
    if (threadIdx.x % 32 == 0 && of_lanes != 0)
      atomicAdd(reinterpret_cast<unsigned long long*>(sums + blockIdx.y),
                static_cast<unsigned long long>(static_cast<long long>(of_lanes)));
  }

 private:
  /// Returns whether the sum covers all of a block.
  static __device__ bool is_own(const LineTask& task, const OpenedBlock& block, int base, int end) {
    const int last = block.first + kBlockRows - 1;
    if (block.first < task.own_places.first || last >= end) return false;
    const int a = base + task.across[block.first];
    const int b = base + task.across[last];
    if (min(a, b) < task.own_x.first || max(a, b) + kCellsOfWord < Cell >> task.own_x.end)
      return false;
    return task.beside == nullptr || (task.own_others.has(block.other + task.beside[block.first]) &&
                                      task.own_others.has(block.other + task.beside[last]));
  }

  /// Type of the sum of eight rows' words, and of that over all lanes.
  using Sum = std::conditional_t<sizeof(Voxel) < 4, int, long long>;

  static __device__ Sum sum_of_lanes(Sum sum) {
    if constexpr (sizeof(Voxel) < 4) {
      return __reduce_add_sync(kAllLanes, sum);
    } else {
      for (int lanes = 16; lanes > 0; lanes /= 2)
        sum += __shfl_down_sync(kAllLanes, sum, lanes);
      return sum;
    }
  }
  static __device__ int sum_of(std::uint32_t voxels) {
    if constexpr (sizeof(Voxel) == 1) {
      return static_cast<int>(__dp4a(voxels, 0x01010101U, 0U));
    } else if constexpr (sizeof(Voxel) == 2) {
      return static_cast<Voxel>(voxels & 0xFFFFU) + static_cast<Voxel>(voxels >> 16U);
    } else {
      return static_cast<int>(voxels);
    }
  }
};

}  // namespace seedwave::gpu::linear
