// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "gpu/device/buffer.h"
#include "gpu/device/counter.h"
#include "gpu/device/download.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/two_valued_plane.cuh"
#include "gpu/morphology/voxel_bits.cuh"
#include "gpu/wavefront/plane_layout.cuh"
#include "gpu/wavefront/plane_tiles.cuh"

#include <chrono>
#include <cstdint>
#include <limits>
#include <span>

/// Reconstruction of 2-D images on the register tiles of plane_tiles.cuh.
namespace seedwave::gpu {

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

  /// Enqueues the upload.
  void upload(const ReconstructionProblem& problem, const Stream& stream) {
    marker_.copy_rows_from(bits_of<Voxel>(problem.marker), grid_.nx, grid_.pitch, stream);
    mask_.copy_rows_from(bits_of<Voxel>(problem.mask), grid_.nx, grid_.pitch, stream);
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
