// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/launch.h"
#include "gpu/wavefront/plane_tiles.cuh"

#include <cstdint>
#include <limits>

/// Reconstruction of a marker and mask that have only two values, by union-find. It fills every
/// component of the mask's high cells that contains a high marker. The time does not depend on the
/// length of paths, so it takes over when a wave crawls through a snake.
///
/// A component is represented by runs: adjacent cells of a tile's row. A warp joins the runs of its
/// tile in shared memory. Then tiles are joined across their sides, by hooking roots with
/// compare-and-swap; the smaller number becomes the root (Jaiganesh, Burtscher 2018, ECL-CC).
/// Number 0 is the source. Runs with a marker are joined with it, so a run is filled if its root is
/// 0.
namespace seedwave::gpu {

/// Values of cells and limits, and whether there is a third. If so, the two are arbitrary.
struct TwoValues {
  int low = std::numeric_limits<int>::max();
  int high = std::numeric_limits<int>::min();
  std::uint32_t others = 0;
};

/// Adds the values of a tile, whose cells do not exceed their limits, to those of the plane. One
/// warp; uses atomic operations, and stores of the same value.
template <typename Pair, int count>
__device__ void note_values(const Pair (&cells)[count], const Pair (&limits)[count],
                            const PlaneGrid& grid, const TileColumns& at, int lane,
                            TwoValues* values) {
  constexpr unsigned kAll = 0xFFFFFFFFU;
  // Most images have a third value in their first tiles.
  if (__ldcg(&values->others) != 0) return;
  const auto first_of = [](Pair pair) { return static_cast<int>(pair.first()); };
  const auto second_of = [](Pair pair) { return static_cast<int>(pair.second()); };
  int low = std::numeric_limits<int>::max();
  int high = std::numeric_limits<int>::min();
#pragma unroll
  for (int y = 0; y < count; ++y) {
    if (at.y + y >= grid.ny || at.x >= grid.nx) continue;
    low = min(low, first_of(cells[y]));
    high = max(high, first_of(limits[y]));
    if (at.x + 1 >= grid.nx) continue;
    low = min(low, second_of(cells[y]));
    high = max(high, second_of(limits[y]));
  }
  low = __reduce_min_sync(kAll, low);
  high = __reduce_max_sync(kAll, high);
  const auto is_third = [&](int value) { return value != low && value != high; };
  bool third = false;
#pragma unroll
  for (int y = 0; y < count; ++y) {
    if (at.y + y >= grid.ny || at.x >= grid.nx) continue;
    third |= is_third(first_of(cells[y])) || is_third(first_of(limits[y]));
    if (at.x + 1 >= grid.nx) continue;
    third |= is_third(second_of(cells[y])) || is_third(second_of(limits[y]));
  }
  third = __any_sync(kAll, third);
  if (lane != 0) return;
  if (third) {
    values->others = 1;
    return;
  }
  // Nearly all tiles find both values there already.
  if (low < __ldcg(&values->low)) atomicMin(&values->low, low);
  if (high > __ldcg(&values->high)) atomicMax(&values->high, high);
}

/// A tile's row in bits: bit x is column x.
using RowBits = unsigned long long;

namespace two_valued {

inline constexpr int kWarps = 4;  // per block
inline constexpr int kThreads = kWarps * 32;
inline constexpr int kRows = PlaneTile::kHeight;
static_assert(kRows == 32 && PlaneTile::kWidth == 64, "a lane holds a row as 64 bits");
/// Runs of a row have a gap between them, so no two begin in the same pair of columns.
inline constexpr int kRunsARow = 32;
inline constexpr int kRunsATile = kRows * kRunsARow;
/// Above this limit, about 2^33 cells, run numbers would collide with the source's and with each
/// other.
inline constexpr std::int64_t kMostTiles = std::numeric_limits<std::uint32_t>::max() / kRunsATile;
inline constexpr unsigned kAll = 0xFFFFFFFFU;

/// Moves the bits to even places.
[[nodiscard]] __device__ inline RowBits spread(std::uint32_t bits) {
  RowBits x = bits;
  x = (x | x << 16) & 0x0000FFFF0000FFFFULL;
  x = (x | x << 8) & 0x00FF00FF00FF00FFULL;
  x = (x | x << 4) & 0x0F0F0F0F0F0F0F0FULL;
  x = (x | x << 2) & 0x3333333333333333ULL;
  return (x | x << 1) & 0x5555555555555555ULL;
}
/// Returns the first bit of each run of ones.
[[nodiscard]] __device__ inline RowBits starts(RowBits row) {
  return row & ~(row << 1);
}
/// Returns the start of the run that contains column x.
[[nodiscard]] __device__ inline int start_of(RowBits row, int x) {
  const RowBits gaps = ~row & ((RowBits{1} << x) - 1);
  return gaps == 0 ? 0 : 64 - __clzll(static_cast<long long>(gaps));
}
/// Returns the cells of the run that begins at column x.
[[nodiscard]] __device__ inline RowBits run_at(RowBits row, int x) {
  const RowBits gap = ~(row >> x);
  const int length = gap == 0 ? 64 : __ffsll(static_cast<long long>(gap)) - 1;
  return (length == 64 ? ~RowBits{0} : (RowBits{1} << length) - 1) << x;
}
/// Returns a run's number within its tile, from 1.
[[nodiscard]] __device__ inline std::uint32_t run_number(RowBits row, int y, int x) {
  return static_cast<std::uint32_t>(1 + y * kRunsARow + start_of(row, x) / 2);
}
[[nodiscard]] __device__ inline std::uint32_t run_number(std::int32_t tile, RowBits row, int y,
                                                         int x) {
  return static_cast<std::uint32_t>(tile) * kRunsATile + run_number(row, y, x);
}

/// Returns a number's root and halves the path to it for later calls. Parents are never larger. A
/// value that another thread stores meanwhile is nearer to the root, or equal to this one, so any
/// order works.
[[nodiscard]] __device__ inline std::uint32_t root_of(volatile std::uint32_t* parents,
                                                      std::uint32_t number) {
  std::uint32_t parent = parents[number];
  while (parent != number) {
    const std::uint32_t next = parents[parent];
    if (next == parent) return parent;
    parents[number] = next;
    number = next;
    parent = parents[number];
  }
  return number;
}
/// Hooks only roots, and only to smaller ones.
__device__ inline void join(std::uint32_t* parents, std::uint32_t a, std::uint32_t b) {
  for (;;) {
    a = root_of(parents, a);
    b = root_of(parents, b);
    if (a == b) return;
    const std::uint32_t low = min(a, b);
    const std::uint32_t high = max(a, b);
    if (atomicCAS(parents + high, high, low) == high) return;
  }
}

/// Joins the runs of a tile with each other and with its markers. Writes the rows, and each run's
/// parent. One warp per tile; shared memory: parents of its runs; no races between warps.
template <typename Cell, bool diagonals>
__global__ void __launch_bounds__(kThreads)
    tiles_kernel(const Cell* cells, const Cell* limits, PlaneGrid grid, TwoValues* values,
                 RowBits* rows, std::uint32_t* parents) {
  using Layout = PlaneLayout<Cell>;
  using Pair = typename Layout::Pair;
  __shared__ std::uint32_t shared[kWarps][kRunsATile + 1];
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int tile = tile_of_warp();
  if (tile >= grid.tiles() || __ldcg(&values->others) != 0) return;
  std::uint32_t* const own = shared[threadIdx.x / 32];
  const TileColumns at(grid, tile, lane);
  const int low = values->low;
  const int high = values->high;

  RowBits row = 0;
  RowBits marked = 0;
  {
    Pair limit[Layout::kPairs];
    Pair cell[Layout::kPairs];
    Layout::load(limits, tile, lane, limit);
    Layout::load(cells, tile, lane, cell);
    bool others = false;
    const auto is_high = [&](int value, bool in) {
      others |= in && value != low && value != high;
      return in && value == high;
    };
#pragma unroll
    for (int y = 0; y < kRows; ++y) {
      const bool first = at.y + y < grid.ny && at.x < grid.nx;
      const bool second = at.y + y < grid.ny && at.x + 1 < grid.nx;
      const std::uint32_t even = __ballot_sync(kAll, is_high(limit[y].first(), first));
      const std::uint32_t odd = __ballot_sync(kAll, is_high(limit[y].second(), second));
      const std::uint32_t even_marked = __ballot_sync(kAll, is_high(cell[y].first(), first));
      const std::uint32_t odd_marked = __ballot_sync(kAll, is_high(cell[y].second(), second));
      if (lane == y) {
        row = static_cast<RowBits>(even) | static_cast<RowBits>(odd) << 32;
        marked = static_cast<RowBits>(even_marked) | static_cast<RowBits>(odd_marked) << 32;
      }
    }
    if (__any_sync(kAll, others)) {
      if (lane == 0) atomicOr(&values->others, 1U);
      return;
    }
  }
  const auto interleaved = [](RowBits halves) {
    return spread(static_cast<std::uint32_t>(halves)) |
           spread(static_cast<std::uint32_t>(halves >> 32)) << 1;
  };
  row = interleaved(row);
  marked = interleaved(marked);
  rows[std::int64_t{tile} * kRows + lane] = row;

  for (RowBits left = starts(row); left != 0; left &= left - 1) {
    const int x = __ffsll(static_cast<long long>(left)) - 1;
    const std::uint32_t number = run_number(row, lane, x);
    own[number] = (run_at(row, x) & marked) != 0 ? 0 : number;
  }
  if (lane == 0) own[0] = 0;
  __syncwarp();
  const RowBits above = __shfl_up_sync(kAll, row, 1);
  if (lane > 0) {
    const auto join_with = [&](RowBits there, int aside) {
      for (RowBits left = starts(row & there); left != 0; left &= left - 1) {
        const int x = __ffsll(static_cast<long long>(left)) - 1;
        join(own, run_number(row, lane, x), run_number(above, lane - 1, x + aside));
      }
    };
    join_with(above, 0);
    if constexpr (diagonals) {
      join_with(above << 1, -1);
      join_with(above >> 1, 1);
    }
  }
  __syncwarp();
  for (RowBits left = starts(row); left != 0; left &= left - 1) {
    const std::uint32_t number = run_number(row, lane, __ffsll(static_cast<long long>(left)) - 1);
    const std::uint32_t root = root_of(own, number);
    const std::uint32_t first = static_cast<std::uint32_t>(tile) * kRunsATile;
    parents[first + number] = root == 0 ? 0 : first + root;
  }
  if (tile == 0 && lane == 0) parents[0] = 0;
}

/// Joins runs across the tiles' right sides, and across their lower sides and corners. One warp per
/// tile for either, because each waits for one number after the other. Parents change by
/// compare-and-swap, and by stores of values nearer to the root.
template <bool diagonals>
__global__ void __launch_bounds__(kThreads)
    sides_kernel(PlaneGrid grid, const TwoValues* values, const RowBits* __restrict__ rows,
                 std::uint32_t* parents) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int tile = tile_of_warp();
  if (tile >= grid.tiles() || values->others != 0) return;
  const bool has_left = tile % grid.tiles_x > 0;
  const bool has_right = tile % grid.tiles_x < grid.tiles_x - 1;
  const bool has_below = tile / grid.tiles_x < grid.tiles_y - 1;
  const auto row_of = [&](int which, int y) { return rows[std::int64_t{which} * kRows + y]; };
  const RowBits row = row_of(tile, lane);
  if (blockIdx.y == 0) {
    if (!has_right || row >> 63 == 0) return;
    for (int dy = diagonals ? -1 : 0; dy <= (diagonals ? 1 : 0); ++dy) {
      const int y = lane + dy;
      if (y < 0 || y >= kRows) continue;
      const RowBits there = row_of(tile + 1, y);
      if ((there & 1) != 0) {
        join(parents, run_number(tile, row, lane, 63), run_number(tile + 1, there, y, 0));
      }
    }
    return;
  }
  if (!has_below) return;
  const RowBits last = __shfl_sync(kAll, row, kRows - 1);
  const int below = tile + grid.tiles_x;
  const RowBits first = row_of(below, 0);
  for (int aside = diagonals ? -1 : 0; aside <= (diagonals ? 1 : 0); ++aside) {
    // Bit x: the cell below, or below and aside, of column x.
    const RowBits there = aside == 0 ? first : (aside < 0 ? first << 1 : first >> 1);
    const RowBits begins = starts(last & there);
    for (int x = 2 * lane; x < 2 * lane + 2; ++x) {
      if ((begins >> x & 1) != 0) {
        join(parents, run_number(tile, last, kRows - 1, x), run_number(below, first, 0, x + aside));
      }
    }
  }
  if (!diagonals || lane != 0) return;
  if (has_right && last >> 63 != 0 && (row_of(below + 1, 0) & 1) != 0) {
    join(parents, run_number(tile, last, kRows - 1, 63),
         run_number(below + 1, row_of(below + 1, 0), 0, 0));
  }
  if (has_left && (last & 1) != 0 && row_of(below - 1, 0) >> 63 != 0) {
    join(parents, run_number(tile, last, kRows - 1, 0),
         run_number(below - 1, row_of(below - 1, 0), 0, 63));
  }
}

/// Sets runs whose root is the source to high. One warp per tile; parents as in sides_kernel, cells
/// without races.
template <typename Cell>
__global__ void __launch_bounds__(kThreads)
    fill_kernel(PlaneGrid grid, const TwoValues* values, const RowBits* __restrict__ rows,
                std::uint32_t* parents, Cell* cells) {
  using Layout = PlaneLayout<Cell>;
  using Pair = typename Layout::Pair;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int tile = tile_of_warp();
  if (tile >= grid.tiles() || values->others != 0) return;
  const RowBits row = rows[std::int64_t{tile} * kRows + lane];
  RowBits filled = 0;
  for (RowBits left = starts(row); left != 0; left &= left - 1) {
    const int x = __ffsll(static_cast<long long>(left)) - 1;
    if (root_of(parents, run_number(tile, row, lane, x)) == 0) filled |= run_at(row, x);
  }
  const auto low = static_cast<Cell>(values->low);
  const auto high = static_cast<Cell>(values->high);
  Pair pairs[Layout::kPairs];
#pragma unroll
  for (int y = 0; y < kRows; ++y) {
    const auto two = static_cast<int>(__shfl_sync(kAll, filled, y) >> (2 * lane) & 3);
    pairs[y] = Pair::of((two & 1) != 0 ? high : low, (two & 2) != 0 ? high : low);
  }
  Layout::store(pairs, cells, tile, lane);
}

}  // namespace two_valued

/// Returns the device memory that fill_two_valued() needs.
[[nodiscard]] inline std::int64_t two_valued_bytes(const PlaneGrid& grid) {
  using namespace two_valued;
  if (grid.tiles() > kMostTiles) return 0;
  return std::int64_t{grid.tiles()} *
         (kRows * static_cast<std::int64_t>(sizeof(RowBits)) +
          kRunsATile * static_cast<std::int64_t>(sizeof(std::uint32_t)));
}

/// Brings cells under their limits to the fixpoint, from any intermediate state, if both have only
/// two values in total; `values` has their initial values. Returns false, without changes, if they
/// have more values or there are too many tiles. Synchronises the stream.
template <bool diagonals, typename Cell>
[[nodiscard]] bool fill_two_valued(const PlaneGrid& grid, Cell* cells, const Cell* limits,
                                   DeviceBuffer<TwoValues>& values, const Stream& stream) {
  using namespace two_valued;
  if (grid.tiles() > kMostTiles) return false;
  DeviceBuffer<RowBits> rows(std::int64_t{grid.tiles()} * kRows, stream);
  DeviceBuffer<std::uint32_t> parents(std::int64_t{grid.tiles()} * kRunsATile + 1, stream);
  const unsigned blocks = blocks_of_tiles(grid, kThreads);
  tiles_kernel<Cell, diagonals><<<blocks, kThreads, 0, stream.get()>>>(
      cells, limits, grid, values.data(), rows.data(), parents.data());
  check_launch(stream.get());
  sides_kernel<diagonals><<<dim3(blocks, 2), kThreads, 0, stream.get()>>>(
      grid, values.data(), rows.data(), parents.data());
  check_launch(stream.get());
  fill_kernel<Cell><<<blocks, kThreads, 0, stream.get()>>>(grid, values.data(), rows.data(),
                                                           parents.data(), cells);
  check_launch(stream.get());
  TwoValues seen{};
  values.copy_to({&seen, 1}, stream);
  stream.synchronize();
  return seen.others == 0;
}

}  // namespace seedwave::gpu
