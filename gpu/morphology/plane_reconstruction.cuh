// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "gpu/device/buffer.h"
#include "gpu/device/counter.h"
#include "gpu/device/download.h"
#include "gpu/device/launch.h"
#include "gpu/device/memory.h"
#include "gpu/device/upload.h"
#include "gpu/morphology/voxel_bits.cuh"
#include "gpu/wavefront/plane_layout.cuh"
#include "gpu/wavefront/plane_tiles.cuh"

#include <chrono>
#include <cstdint>
#include <limits>
#include <span>

namespace seedwave::gpu {

/// Reconstruction of a marker and mask that have only two values, by union-find. It fills every
/// component of the mask's high cells that contains a high marker. The time does not depend on the
/// length of paths, so it takes over when a wave crawls through a snake.
///
/// A component is represented by runs: adjacent cells of a tile's row. A warp joins the runs of its
/// tile in shared memory. Then tiles are joined across their sides, by hooking roots with
/// compare-and-swap; the smaller number becomes the root (Jaiganesh, Burtscher 2018, ECL-CC).
/// Number 0 is the source. Runs with a marker are joined with it, so a run is filled if its root is
/// 0.

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

/// Reconstruction of 2-D images on the register tiles of plane_tiles.cuh.

/// A law for PlaneTiles in which cells rise to their neighbours under individual limits, as in
/// reconstruction by dilation (core's RiseRule), with 4 or 8 neighbours. In device memory limits
/// have the layout of cells.
template <typename CellType, bool with_diagonals>
class LimitLaw {
 public:
  using Cell = CellType;
  static constexpr bool kDiagonals = with_diagonals;
  using Layout = PlaneLayout<Cell>;
  using Pair = typename Layout::Pair;
  static constexpr int kPairs = Layout::kPairs;

  Cell* limits;
  Cell* limit_sides;

  /// The shared memory of a warp: the limits by rows.
  struct Shared {
    typename Layout::Rows limits;
  };
  /// The part of a tile that a lane holds.
  struct Own {
    Pair limits[kPairs];
    Pair side;
  };
  /// The surrounding cells that a lane holds.
  using Beyond = typename Layout::Around;
  /// The part that a sweep along rows reads at once.
  using RowPart = typename Layout::Chunk;

  /// Writes the given limits, by columns, to device memory.
  __device__ void begin(std::int32_t tile, int lane, Shared& shared, Own& own) const {
    Layout::store(own.limits, limits, tile, forgotten(lane));
    share(own, lane, shared);
    own.side = row_part(shared, 0, lane).pair[0];
    Layout::publish(own.limits, own.side, limit_sides, tile, forgotten(lane));
  }
  __device__ void load(std::int32_t tile, int lane, Own& own) const {
    Layout::load(limits, tile, lane, own.limits);
    own.side = Pair::load(limit_sides + Layout::side_at(tile, lane));
  }
  [[nodiscard]] __device__ Beyond look(const PlaneNeighbours& next, int lane) const {
    return Layout::look(limit_sides, next, lane);
  }
  /// Call before rows are swept.
  static __device__ void share(const Own& own, int lane, Shared& shared) {
    Layout::put_columns(own.limits, lane, shared.limits);
  }

  static __device__ void forget(Own&) {}
  /// Returns a pair that passes nothing on.
  [[nodiscard]] static __device__ Pair none() { return Pair::lowest(); }

  // A row after the row before it passes on.
  [[nodiscard]] static __device__ Pair down(const Own& own, int y, Pair cell, Pair from, int lane) {
    return lower(higher(cell, along_row(from, lane)), own.limits[y]);
  }
  [[nodiscard]] static __device__ Pair up(const Own& own, int y, Pair cell, Pair from, int lane) {
    return down(own, y, cell, from, lane);
  }
  // A column after the column before it passes on. Diagonals are left to the rows.
  [[nodiscard]] static __device__ RowPart row_part(const Shared& shared, int chunk, int lane) {
    return shared.limits[lane % 16][lane / 16][Layout::place(chunk, lane % 16)];
  }
  [[nodiscard]] static __device__ Pair inwards(const Own&, const RowPart& part, int x, Pair cell,
                                               Pair from) {
    return lower(higher(cell, from), part.pair[x % Layout::kPairsAChunk]);
  }
  [[nodiscard]] static __device__ Pair outwards(const Own& own, const RowPart& part, int x,
                                                Pair cell, Pair from) {
    return inwards(own, part, x, cell, from);
  }
  /// Returns the cells that the column at the tile's side takes from the column beyond it.
  [[nodiscard]] static __device__ Pair taken_from_beside(const Own& own, Pair beside, Pair corner,
                                                         int lane) {
    return lower(along_column(beside, corner, lane), own.side);
  }

  // The cells that neighbours take from a tile's first row, last row, side and corner.
  [[nodiscard]] static __device__ Pair taken_above(const Beyond& beyond, Pair first_row, int lane) {
    return lower(along_row(first_row, lane), beyond.above);
  }
  [[nodiscard]] static __device__ Pair taken_below(const Beyond& beyond, Pair last_row, int lane) {
    return lower(along_row(last_row, lane), beyond.below);
  }
  [[nodiscard]] static __device__ Pair taken_beside(const Beyond& beyond, Pair side, int lane) {
    return lower(along_column(side, Pair::lowest(), lane), beyond.beside);
  }
  /// dy: direction of the corner; side: of the lane that holds it.
  [[nodiscard]] static __device__ auto taken_beyond_corner(const Beyond& beyond, Pair side,
                                                           int dy) {
    return dy < 0 ? min(side.first(), beyond.corner.second())
                  : min(side.second(), beyond.corner.first());
  }

 private:
  /// Returns the maximum of a row's pairs and, with diagonals, of those one cell to the left and
  /// right. At the tile's sides the inner cell replaces the one outside; it is a neighbour too.
  [[nodiscard]] static __device__ Pair along_row(Pair pair, int lane) {
    if constexpr (!kDiagonals) return pair;
    return highest(pair, Layout::from_left(pair, lane), Layout::from_right(pair, lane));
  }
  [[nodiscard]] static __device__ Pair along_column(Pair pair, Pair corner, int lane) {
    if constexpr (!kDiagonals) return pair;
    return highest(pair, Layout::from_above(pair, corner, lane),
                   Layout::from_below(pair, corner, lane));
  }
};

template <typename Voxel, bool diagonals>
using RiseTiles = PlaneTiles<LimitLaw<CellOf<Voxel>, diagonals>>;

/// Converts voxels to cells, clips the marker to the mask, and brings each tile to its own
/// fixpoint. Records the values that occur. One warp per tile; no races: tiles do not read each
/// other.
template <typename Voxel, bool diagonals>
__global__ void __launch_bounds__(RiseTiles<Voxel, diagonals>::kThreads,
                                  RiseTiles<Voxel, diagonals>::kBlocks)
    begin_kernel(const CellOf<Voxel>* marker, const CellOf<Voxel>* mask, PlaneGrid grid,
                 RiseTiles<Voxel, diagonals> tiles, bool turned, TwoValues* values,
                 unsigned long long* clipped) {
  using Cell = CellOf<Voxel>;
  using Tiles = RiseTiles<Voxel, diagonals>;
  using Pair = typename Tiles::Pair;
  __shared__ typename Tiles::Scratch scratch[Tiles::kThreads / 32];
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int tile = tile_of_warp();
  if (tile >= grid.tiles()) return;
  const TileColumns at(grid, tile, lane);
  Pair cells[Tiles::kPairs];
  typename Tiles::Own own;
  int cut = 0;
#pragma unroll
  for (int y = 0; y < Tiles::kPairs; ++y) {
    cells[y] = own.limits[y] = Pair::lowest();
    if (at.y + y < grid.ny && at.x < grid.nx) {
      const Pair limit = Pair::load(mask + at.first + y * grid.pitch);
      const Pair cell = Pair::load(marker + at.first + y * grid.pitch);
      const bool both = at.x + 1 < grid.nx;
      constexpr Cell kLowest = std::numeric_limits<Cell>::lowest();
      own.limits[y] = Pair::of(cell_from_bits<Voxel>(limit.first(), turned),
                               both ? cell_from_bits<Voxel>(limit.second(), turned) : kLowest);
      const Pair whole = Pair::of(cell_from_bits<Voxel>(cell.first(), turned),
                                  both ? cell_from_bits<Voxel>(cell.second(), turned) : kLowest);
      cells[y] = lower(whole, own.limits[y]);
      cut += (whole.first() > own.limits[y].first() ? 1 : 0) +
             (whole.second() > own.limits[y].second() ? 1 : 0);
    }
  }
  note_values(cells, own.limits, grid, at, lane, values);
  cut = __reduce_add_sync(0xFFFFFFFFU, cut);
  if (cut != 0 && lane == 0) atomicAdd(clipped, static_cast<unsigned long long>(cut));
  auto& shared = scratch[threadIdx.x / 32];
  tiles.law().begin(tile, lane, shared.law, own);
  tiles.begin(tile, lane, shared, cells, own);
}

inline constexpr int kEndThreads = 256;

/// Converts cells to voxels, row by row. One warp per tile; no races: tiles do not overlap.
template <typename Voxel>
__global__ void __launch_bounds__(kEndThreads)
    end_kernel(const TiledPlane<CellOf<Voxel>> plane, PlaneGrid grid, bool turned,
               CellOf<Voxel>* result) {
  using Layout = PlaneLayout<CellOf<Voxel>>;
  using Pair = typename Layout::Pair;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int tile = tile_of_warp();
  if (tile >= grid.tiles()) return;
  const TileColumns at(grid, tile, lane);
  Pair cells[Layout::kPairs];
  Layout::load(plane.cells, tile, lane, cells);
#pragma unroll
  for (int y = 0; y < Layout::kPairs; ++y) {
    if (at.y + y < grid.ny && at.x < grid.nx) {
      Pair::of(bits_from_cell<Voxel>(cells[y].first(), turned),
               bits_from_cell<Voxel>(cells[y].second(), turned))
          .store(result + at.first + y * grid.pitch);
    }
  }
}

/// A 2-D reconstruction on the device.
template <typename Voxel>
class PlaneOnDevice {
  using Cell = CellOf<Voxel>;

 public:
  PlaneOnDevice(const Index3& size, ReconstructionDirection direction, const Stream& stream)
      : grid_(PlaneGrid::of(size)),
        turned_(direction == ReconstructionDirection::Erosion),
        marker_(grid_.cells(), stream),
        mask_(grid_.cells(), stream),
        cells_(grid_, stream),
        limits_(grid_, stream),
        values_(1, stream) {}

  /// Enqueues the upload. Throws Cancelled.
  void upload(const ReconstructionProblem& problem, Context& context, const Stream& stream) {
    gpu::upload(bits_of<Voxel>(problem.marker), marker_, grid_.nx, grid_.pitch, context, stream);
    gpu::upload(bits_of<Voxel>(problem.mask), mask_, grid_.nx, grid_.pitch, context, stream);
  }
  [[nodiscard]] const PlaneGrid& grid() const { return grid_; }
  [[nodiscard]] DeviceBuffer<Cell>& marker() { return marker_; }
  [[nodiscard]] DeviceBuffer<Cell>& mask() { return mask_; }

  /// Replaces the marker by the result or, if the wave crawls and may be left, by its current
  /// state. Synchronises the stream. Throws Cancelled.
  [[nodiscard]] WaveEnd run(Connectivity connectivity, OnCrawl on_crawl, DeviceCounter& clipped,
                            Context& context, const Stream& stream) {
    return has_corners(connectivity) ? run_with<true>(on_crawl, clipped, context, stream)
                                     : run_with<false>(on_crawl, clipped, context, stream);
  }

  /// Synchronises the stream. Throws Cancelled.
  void download(std::span<Cell> bits, Context& context, const Stream& stream) const {
    gpu::download(marker_, grid_.nx, grid_.pitch, bits, context, stream);
  }

  [[nodiscard]] static std::int64_t bytes(const Index3& size) {
    const PlaneGrid grid = PlaneGrid::of(size);
    return 2 * PlaneMemory<Cell>::bytes(grid) + grid.cells() * 2 * std::int64_t{sizeof(Cell)} +
           DeviceQueue::bytes(grid.tiles()) + two_valued_bytes(grid) + kBufferEnds;
  }

 private:
  template <bool diagonals>
  WaveEnd run_with(OnCrawl on_crawl, DeviceCounter& clipped, Context& context,
                   const Stream& stream) {
    using Tiles = RiseTiles<Voxel, diagonals>;
    const TwoValues none_yet;
    values_.copy_from({&none_yet, 1}, stream);
    const TiledPlane<Cell> limits = limits_.view();
    const Tiles tiles(cells_.view(), {limits.cells, limits.sides});
    begin_kernel<Voxel, diagonals>
        <<<blocks_of_tiles(grid_, Tiles::kThreads), Tiles::kThreads, 0, stream.get()>>>(
            marker_.data(), mask_.data(), grid_, tiles, turned_, values_.data(), clipped.data());
    check_launch(stream.get());
    const WaveEnd end = propagate<diagonals>(tiles, on_crawl, context, stream);
    end_kernel<Voxel><<<blocks_of_tiles(grid_, kEndThreads), kEndThreads, 0, stream.get()>>>(
        cells_.view(), grid_, turned_, marker_.data());
    check_launch(stream.get());
    return end;
  }

  /// Propagates by tiles, as long as many tiles have work at a time.
  template <bool diagonals>
  WaveEnd propagate(const RiseTiles<Voxel, diagonals>& tiles, OnCrawl on_crawl, Context& context,
                    const Stream& stream) {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint64_t kSoonNs = 40'000;
    constexpr std::uint64_t kLaterNs = 4'000'000;
    // Approximate time of the host per tile; the device may crawl for as long.
    constexpr std::chrono::microseconds kHostForTile{4};
    DeviceQueue queue(grid_.tiles(), stream);
    queue.queue_all(stream);
    const Patience patience{on_crawl == OnCrawl::Leave ? kLaterNs : LaunchLimits::kEndless,
                            &values_.data()->others, kSoonNs};
    if (run_tiles_with_patience(queue, tiles, patience, context, stream) == WaveEnd::AtRest ||
        fill_two_valued<diagonals>(grid_, cells_.view().cells, limits_.view().cells, values_,
                                   stream)) {
      return WaveEnd::AtRest;
    }
    if (on_crawl == OnCrawl::GoOn) {
      run_tiles(queue, tiles, context, stream);
      return WaveEnd::AtRest;
    }
    const auto since = Clock::now();
    while (run_tiles_with_patience(queue, tiles, {kLaterNs}, context, stream) ==
           WaveEnd::Crawling) {
      if (Clock::now() - since > kHostForTile * grid_.tiles()) return WaveEnd::Crawling;
    }
    return WaveEnd::AtRest;
  }

  PlaneGrid grid_;
  bool turned_;
  DeviceBuffer<Cell> marker_;
  DeviceBuffer<Cell> mask_;
  PlaneMemory<Cell> cells_;
  PlaneMemory<Cell> limits_;
  DeviceBuffer<TwoValues> values_;
};

}  // namespace seedwave::gpu
