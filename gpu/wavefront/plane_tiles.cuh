// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "gpu/device/buffer.h"
#include "gpu/wavefront/device_queue.h"
#include "gpu/wavefront/engine.cuh"
#include "gpu/wavefront/plane_layout.cuh"

#include <cstdint>

/// Cells of a plane that rise to the values passed on by their neighbours, in tiles in the
/// registers of a warp (plane_layout.cuh). A law determines the part of an offer that a cell takes:
///
/// LimitLaw   up to a limit of its own: reconstruction (plane_reconstruction.cuh);
/// GateLaw    all or nothing, by the edge: hops and labels of the watershed (plane_watershed.cuh).
namespace seedwave::gpu {

/// Cells in device memory, tile by tile. Cells beyond the plane have the lowest value.
template <typename Cell>
struct TiledPlane {
  Cell* cells;
  Cell* sides;
  /// A flag per tile: its last visit ended before it converged.
  std::uint8_t* unfinished;
  int tiles_x;
  int tiles_y;

  [[nodiscard]] __device__ PlaneNeighbours neighbours(std::int32_t tile, int lane) const {
    const int x = tile % tiles_x;
    const int y = tile / tiles_x;
    const int out = outwards(lane);
    const int dy = cornerwards(lane);
    return {at(x, y - 1), at(x, y + 1), at(x + out, y), dy == 0 ? -1 : at(x + out, y + dy)};
  }

 private:
  [[nodiscard]] __device__ std::int32_t at(int x, int y) const {
    if (x < 0 || y < 0 || x >= tiles_x || y >= tiles_y) return -1;
    return x + tiles_x * y;
  }
};

template <typename Law>
class PlaneTiles {
 public:
  using Cell = typename Law::Cell;
  using Layout = PlaneLayout<Cell>;
  using Pair = typename Layout::Pair;
  using Own = typename Law::Own;
  static constexpr int kPairs = Layout::kPairs;
  static constexpr int kThreads = Layout::kNarrow ? 128 : 64;
  static constexpr int kBlocks = 4;
  struct Scratch {
    typename Layout::Rows cells;
    typename Law::Shared law;
  };

  PlaneTiles(const TiledPlane<Cell>& plane, const Law& law) : plane_(plane), law_(law) {}
  [[nodiscard]] __device__ const Law& law() const { return law_; }

  /// Performs a tile's first visit, before any tile is queued. The given cells, by columns, must
  /// not exceed what the law allows. They converge among themselves and are written to device
  /// memory. `own` has been shared.
  __device__ void begin(std::int32_t tile, int lane, Scratch& scratch, Pair (&cells)[kPairs],
                        Own& own) const {
    const Pair none = Law::none();
    const SettleEnd end = settle(cells, own, scratch, none, none, none, true, true, none);
    Layout::store(cells, plane_.cells, tile, forgotten(lane));
    Layout::publish(cells, end.side, plane_.sides, tile, forgotten(lane));
    if (lane == 0) plane_.unfinished[tile] = end.again ? 1 : 0;
  }

  /// Reads the cells of a tile, by columns.
  __device__ void read(std::int32_t tile, int lane, Pair (&cells)[kPairs]) const {
    Layout::load(plane_.cells, tile, lane, cells);
  }

  __device__ TileVisitEnd visit(std::int32_t tile, int lane, Scratch& scratch) const {
    const PlaneNeighbours next = plane_.neighbours(tile, lane);
    Pair cells[kPairs];
    Own own;
    Layout::load(plane_.cells, tile, lane, cells);
    law_.load(tile, lane, own);
    const Around around = Layout::look(plane_.sides, next, lane);
    const Beyond beyond = law_.look(next, lane);
    const Pair side = Pair::load(plane_.sides + Layout::side_at(tile, lane));
    const bool unfinished = __ldcg(plane_.unfinished + tile) != 0;

    const Pair beside = Law::taken_from_beside(own, around.beside, around.corner, lane);
    const bool by_rows = __any_sync(kAll, gains(side, beside));
    const Pair first = Law::down(own, 0, cells[0], around.above, lane);
    const Pair last = Law::up(own, kPairs - 1, cells[kPairs - 1], around.below, lane);
    const bool by_columns =
        __any_sync(kAll, differ(first, cells[0]) || differ(last, cells[kPairs - 1]));
    if (!by_rows && !by_columns && !unfinished) return {-1, false};

    Law::share(own, lane, scratch.law);
    const SettleEnd end = settle(cells, own, scratch, around.above, around.below, beside,
                                 unfinished || by_columns, unfinished || by_rows, side);
    if (end.rose) {
      Layout::store(cells, plane_.cells, tile, forgotten(lane));
      Layout::publish(cells, end.side, plane_.sides, tile, forgotten(lane));
    }
    if (lane == 0 && unfinished != end.again) plane_.unfinished[tile] = end.again ? 1 : 0;
    if (!end.rose) return {-1, end.again};
    return {woken(cells[0], cells[kPairs - 1], end.side, around, beyond, tile, lane), end.again};
  }

 private:
  using Around = typename Layout::Around;
  using Beyond = typename Law::Beyond;
  using Watch = WatchOf<Cell>;
  static constexpr unsigned kAll = 0xFFFFFFFFU;

  /// Maximum sweeps per visit. The rest is left to the next visit, which also sees the neighbours'
  /// changes until then.
  static constexpr int kMostSweeps = 4;

  struct SettleEnd {
    bool rose;
    bool again;
    Pair side;  // rows 2q and 2q + 1 of the column at the lane's half
  };

  [[nodiscard]] static __device__ bool gains(Pair cell, Pair offer) {
    return differ(higher(cell, offer), cell);
  }

  /// Sweeps columns and rows alternately until both have converged or the visit has reached its
  /// maximum. `cells` are by columns on entry and return. beside: cells that the columns at the
  /// sides take.
  [[nodiscard]] static __device__ SettleEnd settle(Pair (&cells)[kPairs], Own& own,
                                                   Scratch& scratch, Pair above, Pair below,
                                                   Pair beside, bool columns, bool rows,
                                                   Pair side) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    Watch watch;
    watch.start(cells);
    SettleEnd end{false, false, side};
    for (int left = kMostSweeps; columns || rows;) {
      Law::forget(own);
      if (left <= 0) {
        end.again = true;
        break;
      }
      if (columns) {
        sweep_columns(cells, own, above, below, watch);
        --left;
        const bool rose = watch.risen(cells);
        end.rose |= rose;
        rows |= rose;
        columns = Law::kDiagonals && rose;
      }
      if (rows) {
        Layout::put_columns(cells, forgotten(lane), scratch.cells);
        Layout::take_rows(cells, forgotten(lane), scratch.cells);
        sweep_rows(cells, own, scratch.law, beside, watch);
        --left;
        const bool rose = watch.risen(cells);
        end.side = cells[0];
        Layout::put_rows(cells, forgotten(lane), scratch.cells);
        Layout::take_columns(cells, forgotten(lane), scratch.cells);
        end.rose |= rose;
        columns |= rose;
        rows = false;
      }
    }
    return end;
  }

  /// Sweeps down and up at once. The two meet in the middle and continue through each other's
  /// results.
  static __device__ void sweep_columns(Pair (&cells)[kPairs], const Own& own, Pair above,
                                       Pair below, Watch& watch) {
    const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
    for (int y = 0; y < kPairs; ++y) {
      const int last = kPairs - 1 - y;
      above = put(cells[y], Law::down(own, y, cells[y], above, lane), watch);
      below = put(cells[last], Law::up(own, last, cells[last], below, lane), watch);
    }
  }

  /// Sweeps both halves inwards and then, with the values from the other half, outwards.
  static __device__ void sweep_rows(Pair (&cells)[kPairs], const Own& own,
                                    const typename Law::Shared& shared, Pair beside, Watch& watch) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    constexpr int kPart = Layout::kPairsAChunk;
    put(cells[0], higher(cells[0], beside), watch);
    beside = cells[0];
#pragma unroll
    for (int c = 0; c < Layout::kChunks; ++c) {
      const auto part = Law::row_part(shared, c, lane);
#pragma unroll
      for (int x = c * kPart; x < (c + 1) * kPart; ++x) {
        if (x > 0) beside = put(cells[x], Law::inwards(own, part, x, cells[x], beside), watch);
      }
    }
    beside = beside.shuffled(lane ^ 16, 32);
#pragma unroll
    for (int c = Layout::kChunks - 1; c >= 0; --c) {
      const auto part = Law::row_part(shared, c, lane);
#pragma unroll
      for (int x = (c + 1) * kPart - 1; x >= c * kPart; --x)
        beside = put(cells[x], Law::outwards(own, part, x, cells[x], beside), watch);
    }
  }

  static __device__ Pair put(Pair& cell, Pair now, Watch& watch) {
    watch.see(cell, now);
    cell = now;
    return now;
  }

  /// Returns the neighbours that gain from this tile's sides, one per lane. The known state of a
  /// neighbour may be old. It may then be woken needlessly, but is never missed.
  [[nodiscard]] __device__ std::int32_t woken(Pair first_row, Pair last_row, Pair side,
                                              const Around& around, const Beyond& beyond,
                                              std::int32_t tile, int lane) const {
    const PlaneNeighbours next = plane_.neighbours(tile, forgotten(lane));
    std::int32_t wake = -1;
    if constexpr (Law::kDiagonals) {
      const int dy = cornerwards(lane);
      if (dy != 0) {
        const auto there = dy < 0 ? around.corner.second() : around.corner.first();
        if (Law::taken_beyond_corner(beyond, side, dy) > there) wake = next.corner;
      }
    }
    const Pair up = Law::taken_above(beyond, first_row, lane);
    const Pair down = Law::taken_below(beyond, last_row, lane);
    const Pair out = Law::taken_beside(beyond, side, lane);
    if (__any_sync(kAll, gains(around.above, up)) && lane == 1) wake = next.above;
    if (__any_sync(kAll, gains(around.below, down)) && lane == 2) wake = next.below;
    const unsigned beside = __ballot_sync(kAll, gains(around.beside, out));
    if ((beside & 0xFFFFU) != 0 && lane == 3) wake = next.beside;
    if ((beside >> 16) != 0 && lane == 19) wake = next.beside;
    return wake;
  }

  TiledPlane<Cell> plane_;
  Law law_;
};

/// A plane stored row by row, and its tiles.
struct PlaneGrid {
  std::int64_t nx;
  std::int64_t ny;
  std::int64_t pitch;  // cells from row to row; even
  int tiles_x;
  int tiles_y;

  [[nodiscard]] static PlaneGrid of(const Index3& size) {
    constexpr std::int64_t kPitchStep = 64;
    return {size[0], size[1], (size[0] + kPitchStep - 1) / kPitchStep * kPitchStep,
            static_cast<int>((size[0] + PlaneTile::kWidth - 1) / PlaneTile::kWidth),
            static_cast<int>((size[1] + PlaneTile::kHeight - 1) / PlaneTile::kHeight)};
  }
  [[nodiscard]] std::int64_t cells() const { return pitch * ny; }
  [[nodiscard]] __host__ __device__ int tiles() const { return tiles_x * tiles_y; }
};

/// Position of a lane's two columns of a tile in the plane.
struct TileColumns {
  __device__ TileColumns(const PlaneGrid& grid, int tile, int lane)
      : x(std::int64_t{tile % grid.tiles_x} * PlaneTile::kWidth + 2 * lane),
        y(std::int64_t{tile / grid.tiles_x} * PlaneTile::kHeight),
        first(x + y * grid.pitch) {}
  std::int64_t x;
  std::int64_t y;
  std::int64_t first;
};

/// Cells of a plane in tile layout, in device memory.
template <typename Cell>
class PlaneMemory {
 public:
  PlaneMemory(const PlaneGrid& grid, const Stream& stream)
      : tiles_x_(grid.tiles_x),
        tiles_y_(grid.tiles_y),
        cells_(std::int64_t{grid.tiles()} * PlaneTile::kCells, stream),
        sides_(std::int64_t{grid.tiles()} * PlaneTile::kSides, stream),
        unfinished_(grid.tiles(), stream) {}
  [[nodiscard]] TiledPlane<Cell> view() {
    return {cells_.data(), sides_.data(), unfinished_.data(), tiles_x_, tiles_y_};
  }
  [[nodiscard]] static std::int64_t bytes(const PlaneGrid& grid) {
    constexpr std::int64_t kCell{sizeof(Cell)};
    return grid.tiles() * ((PlaneTile::kCells + PlaneTile::kSides) * kCell + 1);
  }

 private:
  int tiles_x_;
  int tiles_y_;
  DeviceBuffer<Cell> cells_;
  DeviceBuffer<Cell> sides_;
  DeviceBuffer<std::uint8_t> unfinished_;
};

/// Returns the number of blocks of `threads` threads that have one warp per tile.
[[nodiscard]] inline unsigned blocks_of_tiles(const PlaneGrid& grid, int threads) {
  const int warps = threads / 32;
  return static_cast<unsigned>((grid.tiles() + warps - 1) / warps);
}
/// Returns the tile of the calling warp in such a launch; it may lie beyond the last.
[[nodiscard]] __device__ inline int tile_of_warp() {
  return static_cast<int>(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
}

/// Visits all tiles until the wavefront has converged. Synchronises the stream. Throws Cancelled,
/// UnavailableError.
template <typename Law>
void run_plane(const PlaneTiles<Law>& tiles, const PlaneGrid& grid, Context& context,
               const Stream& stream) {
  DeviceQueue queue(grid.tiles(), stream);
  queue.queue_all(stream);
  run_tiles(queue, tiles, context, stream);
}

}  // namespace seedwave::gpu
