// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/device/launch.h"
#include "gpu/morphology/linear/line_task.cuh"

#include <cstddef>
#include <cstdint>
#include <limits>

/// The strongest of many openings at each cell, and the first direction that gave it. Openings are
/// in cell order, so the maximum is wanted for closings too.
namespace seedwave::gpu::linear {

/// Numbers of words and rows that a block picks for.
inline constexpr int kPickWords = 32;
inline constexpr int kPickRows = 8;
/// Maximum number of directions of a launch; their places lie in shared memory.
inline constexpr int kMostPicked = 128;

/// The values picked so far, row by row of an image. Bytes with up to 256 directions are combined
/// into one key of 16 bits: value * 256 + 255 - direction. The highest key is the answer. Others
/// are a cell and a direction.
struct PickedKeys {
  std::uint16_t* keys;
  std::int64_t row;  // bytes
};
template <typename Cell>
struct PickedCells {
  Cell* cells;
  std::int64_t row;  // bytes
  std::uint16_t* directions;
  std::int64_t direction_row;  // bytes

  [[nodiscard]] __device__ Cell* cell(int x, std::int64_t y) const {
    return reinterpret_cast<Cell*>(reinterpret_cast<std::byte*>(cells) + y * row) + x;
  }
  [[nodiscard]] __device__ std::uint16_t* direction(int x, std::int64_t y) const {
    return reinterpret_cast<std::uint16_t*>(reinterpret_cast<std::byte*>(directions) +
                                            y * direction_row) +
           x;
  }
};

/// A cell and the direction that gave it. The higher cell is better; of equal cells, the lower
/// direction.
template <typename Cell>
struct BestCell {
  Cell value = std::numeric_limits<Cell>::lowest();
  std::uint16_t direction = 0xFFFF;

  __device__ void take(Cell other, std::uint16_t other_direction) {
    if (other < value || (other == value && other_direction >= direction)) return;
    value = other;
    direction = other_direction;
  }
  [[nodiscard]] static __device__ BestCell of(const PickedCells<Cell>& picked, int x,
                                              std::int64_t y) {
    return {*picked.cell(x, y), *picked.direction(x, y)};
  }
  __device__ void store(const PickedCells<Cell>& picked, int x, std::int64_t y) const {
    *picked.cell(x, y) = value;
    *picked.direction(x, y) = direction;
  }
};

/// A thread's row, and its item within the row.
struct PickItem {
  std::int64_t row;
  int item;
  [[nodiscard]] static __device__ PickItem of_thread() {
    const auto thread = static_cast<int>(threadIdx.x);
    return {std::int64_t{blockIdx.x} * kPickRows + thread / kPickWords,
            static_cast<int>(blockIdx.y) * kPickWords + thread % kPickWords};
  }
};

/// Locations of the openings of some directions, and the size of the image.
struct PickRun {
  const LineTask* tasks;
  const std::uint16_t* directions;  // indices of the tasks' directions
  int count;
  const std::byte* opened;
  int width;
  int rows;
  bool first;  // nothing has been picked yet
};

/// Index in `opened` of the cell at x = 0 of a row, for each direction.
struct PickPlaces {
  std::int64_t first[kMostPicked][kPickRows];
};
template <typename Cell>
__device__ void find_places(const PickRun& run, PickPlaces& places) {
  const int first_row = static_cast<int>(blockIdx.x) * kPickRows;
  for (int i = static_cast<int>(threadIdx.x); i < run.count * kPickRows;
       i += kPickWords * kPickRows) {
    const LineTask& task = run.tasks[i / kPickRows];
    const int row = min(first_row + i % kPickRows, run.rows - 1);
    places.first[i / kPickRows][i % kPickRows] =
        task.opened + row * task.pitch -
        std::int64_t{task.first_base + task.across[row]} * int{sizeof(Cell)};
  }
  __syncthreads();
}

/// Picks among all directions. One thread per word of four cells. Shared memory: 8 KB. No races: a
/// barrier follows the places.
static __global__ void __launch_bounds__(kPickWords* kPickRows)
    pick_keys_kernel(const __grid_constant__ PickRun run, const PickedKeys picked) {
  __shared__ PickPlaces places;
  find_places<std::uint8_t>(run, places);
  const auto [row, word] = PickItem::of_thread();
  const int x = 4 * word;
  if (row >= run.rows || x >= run.width) return;
  auto* const to = reinterpret_cast<uint2*>(reinterpret_cast<std::byte*>(picked.keys) +
                                            row * picked.row + std::int64_t{x} * 2);
  uint2 keys = run.first ? uint2{0U, 0U} : *to;
#pragma unroll 4
  for (int i = 0; i < run.count; ++i) {
    const std::uint32_t word =
        UnalignedWord<std::uint8_t>::at(run.opened + places.first[i][row % kPickRows] + x).voxels();
    const std::uint32_t low = 255U - run.directions[i];
    keys.x = __vmaxu2(keys.x, __byte_perm(word, low, 0x1404U));
    keys.y = __vmaxu2(keys.y, __byte_perm(word, low, 0x3424U));
  }
  *to = keys;
}

/// Picks for one cell per thread. As above.
template <typename Cell>
__global__ void __launch_bounds__(kPickWords* kPickRows)
    pick_cells_kernel(const __grid_constant__ PickRun run, const PickedCells<Cell> picked) {
  __shared__ PickPlaces places;
  find_places<Cell>(run, places);
  const auto [row, x] = PickItem::of_thread();
  if (row >= run.rows || x >= run.width) return;
  BestCell<Cell> best;
  if (!run.first) best = BestCell<Cell>::of(picked, x, row);
  for (int i = 0; i < run.count; ++i) {
    best.take(*reinterpret_cast<const Cell*>(run.opened + places.first[i][row % kPickRows] +
                                             std::int64_t{x} * int{sizeof(Cell)}),
              run.directions[i]);
  }
  best.store(picked, x, row);
}

/// Does the same with one direction's opened voxels, in rows like the image's. One thread per
/// voxel.
template <typename Voxel>
__global__ void __launch_bounds__(kPickWords* kPickRows)
    pick_voxels_kernel(const std::byte* __restrict__ opened, int width, std::int64_t rows,
                       std::uint16_t direction, bool turned, bool first,
                       const PickedCells<CellOf<Voxel>> picked) {
  using Cell = CellOf<Voxel>;
  const auto [row, x] = PickItem::of_thread();
  if (row >= rows || x >= width) return;
  BestCell<Cell> best;
  if (!first) best = BestCell<Cell>::of(picked, x, row);
  best.take(to_cell(reinterpret_cast<const Voxel*>(opened + row * picked.row)[x], turned),
            direction);
  best.store(picked, x, row);
}

/// Writes the answers from one or two sets of picked values; either may be null. One thread per
/// voxel.
static __global__ void __launch_bounds__(kPickWords* kPickRows)
    finish_keys_kernel(const PickedKeys a, const PickedKeys b, int width, int rows, bool turned,
                       std::uint8_t* __restrict__ strongest, std::int64_t strongest_row,
                       std::uint16_t* __restrict__ direction, std::int64_t direction_row) {
  const auto [row, x] = PickItem::of_thread();
  if (row >= rows || x >= width) return;
  const auto key_of = [&](const PickedKeys& picked) -> unsigned {
    if (picked.keys == nullptr) return 0U;
    return reinterpret_cast<const std::uint16_t*>(reinterpret_cast<const std::byte*>(picked.keys) +
                                                  row * picked.row)[x];
  };
  const unsigned key = max(key_of(a), key_of(b));
  strongest[row * strongest_row + x] =
      from_cell<std::uint8_t>(static_cast<std::uint8_t>(key >> 8U), turned);
  direction[row * direction_row + x] = static_cast<std::uint16_t>(255U - (key & 255U));
}

template <typename Voxel>
__global__ void __launch_bounds__(kPickWords* kPickRows)
    finish_cells_kernel(const PickedCells<CellOf<Voxel>> a, const PickedCells<CellOf<Voxel>> b,
                        int width, std::int64_t rows, bool turned, Voxel* __restrict__ strongest,
                        std::int64_t strongest_row, std::uint16_t* __restrict__ direction,
                        std::int64_t direction_row) {
  using Cell = CellOf<Voxel>;
  const auto [row, x] = PickItem::of_thread();
  if (row >= rows || x >= width) return;
  BestCell<Cell> best;
  if (a.cells != nullptr) best = BestCell<Cell>::of(a, x, row);
  if (b.cells != nullptr) best.take(*b.cell(x, row), *b.direction(x, row));
  strongest[row * strongest_row + x] = from_cell<Voxel>(best.value, turned);
  direction[row * direction_row + x] = best.direction;
}

inline dim3 pick_grid(int items_of_row, std::int64_t rows) {
  return {static_cast<unsigned>((rows + kPickRows - 1) / kPickRows),
          static_cast<unsigned>((items_of_row + kPickWords - 1) / kPickWords)};
}

}  // namespace seedwave::gpu::linear
