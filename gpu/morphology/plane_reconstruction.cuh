// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "gpu/device/buffer.h"
#include "gpu/device/counter.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/voxel_bits.cuh"
#include "gpu/wavefront/plane_tiles.cuh"

#include <cstdint>
#include <limits>
#include <span>

/// Reconstruction of images, on the register tiles of plane_tiles.cuh.
namespace seedwave::gpu {

/// Marker and mask as they come, row by row: the bits of voxels.
template <typename Cell>
struct RawPlane {
  Cell* marker;
  const Cell* mask;
  std::int64_t nx;
  std::int64_t ny;
  std::int64_t pitch;  // even
};

inline constexpr int kEndWarps = 8;  // of a block

/// Where a lane's columns of a tile lie in the plane.
template <typename Cell>
struct Columns {
  __device__ Columns(const RawPlane<Cell>& plane, int tile, int tiles_x, int lane)
      : x(std::int64_t{tile % tiles_x} * TiledPlane<Cell>::kWidth + 2 * lane),
        y(std::int64_t{tile / tiles_x} * TiledPlane<Cell>::kHeight),
        first(x + y * plane.pitch) {}
  std::int64_t x;
  std::int64_t y;
  std::int64_t first;
};

/// Voxels become cells, the marker is cut to the mask, and each tile goes to rest by itself. One
/// warp a tile; no races: tiles do not look at each other.
template <typename Voxel, bool diagonal>
__global__ void __launch_bounds__(PlaneTiles<CellOf<Voxel>, diagonal>::kThreads)
    begin_kernel(RawPlane<CellOf<Voxel>> raw, PlaneTiles<CellOf<Voxel>, diagonal> tiles,
                 int tiles_x, int tile_count, bool turned, unsigned long long* clipped) {
  using Cell = CellOf<Voxel>;
  using Tiles = PlaneTiles<Cell, diagonal>;
  using Pair = typename Tiles::Pair;
  __shared__ typename Tiles::Scratch scratch[Tiles::kThreads / 32];
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int tile = static_cast<int>(blockIdx.x) * (Tiles::kThreads / 32) + warp;
  if (tile >= tile_count) return;
  const Columns<Cell> at(raw, tile, tiles_x, lane);
  Pair cells[Tiles::kPairs];
  Pair limits[Tiles::kPairs];
  int cut = 0;
#pragma unroll
  for (int y = 0; y < Tiles::kPairs; ++y) {
    cells[y] = limits[y] = Pair::lowest();
    if (at.y + y < raw.ny && at.x < raw.nx) {
      const Pair limit = Pair::load(raw.mask + at.first + y * raw.pitch);
      const Pair cell = Pair::load(raw.marker + at.first + y * raw.pitch);
      const bool both = at.x + 1 < raw.nx;
      constexpr Cell kLowest = std::numeric_limits<Cell>::lowest();
      limits[y] = Pair::of(cell_from_bits<Voxel>(limit.first(), turned),
                           both ? cell_from_bits<Voxel>(limit.second(), turned) : kLowest);
      const Pair whole = Pair::of(cell_from_bits<Voxel>(cell.first(), turned),
                                  both ? cell_from_bits<Voxel>(cell.second(), turned) : kLowest);
      cells[y] = lower(whole, limits[y]);
      cut += (whole.first() > limits[y].first() ? 1 : 0) +
             (whole.second() > limits[y].second() ? 1 : 0);
    }
  }
  cut = __reduce_add_sync(0xFFFFFFFFU, cut);
  if (cut != 0 && lane == 0) atomicAdd(clipped, static_cast<unsigned long long>(cut));
  tiles.begin(tile, lane, scratch[warp], cells, limits);
}

/// Cells become voxels, row by row. One warp a tile; no races: tiles do not overlap.
template <typename Voxel, bool diagonal>
__global__ void __launch_bounds__(kEndWarps * 32)
    end_kernel(RawPlane<CellOf<Voxel>> raw, PlaneTiles<CellOf<Voxel>, diagonal> tiles, int tiles_x,
               int tile_count, bool turned) {
  using Cell = CellOf<Voxel>;
  using Tiles = PlaneTiles<Cell, diagonal>;
  using Pair = typename Tiles::Pair;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int tile = static_cast<int>(blockIdx.x * kEndWarps + threadIdx.x / 32);
  if (tile >= tile_count) return;
  const Columns<Cell> at(raw, tile, tiles_x, lane);
  Pair cells[Tiles::kPairs];
  tiles.read(tile, lane, cells);
#pragma unroll
  for (int y = 0; y < Tiles::kPairs; ++y) {
    if (at.y + y < raw.ny && at.x < raw.nx) {
      Pair::of(bits_from_cell<Voxel>(cells[y].first(), turned),
               bits_from_cell<Voxel>(cells[y].second(), turned))
          .store(raw.marker + at.first + y * raw.pitch);
    }
  }
}

/// A reconstruction in a plane, on the device.
template <typename Voxel>
class PlaneOnDevice {
  using Cell = CellOf<Voxel>;
  using Plane = TiledPlane<Cell>;

 public:
  PlaneOnDevice(const ReconstructionProblem& problem, const Stream& stream)
      : size_(problem.mask.geometry().size),
        tiles_x_(static_cast<int>((size_[0] + Plane::kWidth - 1) / Plane::kWidth)),
        tiles_y_(static_cast<int>((size_[1] + Plane::kHeight - 1) / Plane::kHeight)),
        pitch_(pitch_of(size_)),
        turned_(problem.direction == ReconstructionDirection::Erosion),
        marker_(pitch_ * size_[1], stream),
        mask_(marker_.size(), stream),
        cells_(std::int64_t{tile_count()} * Plane::kCells, stream),
        limits_(cells_.size(), stream),
        sides_(std::int64_t{tile_count()} * Plane::kSides, stream),
        limit_sides_(sides_.size(), stream),
        unfinished_(tile_count(), stream) {
    upload(problem.marker, marker_, stream);
    upload(problem.mask, mask_, stream);
  }

  /// The marker's memory then holds the result. Waits for the stream. Throws Cancelled.
  void run(Connectivity connectivity, DeviceCounter& clipped, Context& context,
           const Stream& stream) {
    if (connectivity == Connectivity::C8) {
      run_with<true>(clipped, context, stream);
    } else {
      run_with<false>(clipped, context, stream);
    }
  }

  /// Enqueues the way back.
  void download(std::span<Cell> bits, const Stream& stream) const {
    marker_.copy_rows_to(bits, size_[0], pitch_, stream);
  }

  [[nodiscard]] static std::int64_t bytes(const Index3& size) {
    const std::int64_t tiles = ((size[0] + Plane::kWidth - 1) / Plane::kWidth) *
                               ((size[1] + Plane::kHeight - 1) / Plane::kHeight);
    return tiles * (2 * (Plane::kCells + Plane::kSides) * std::int64_t{sizeof(Cell)} + 1) +
           pitch_of(size) * size[1] * 2 * std::int64_t{sizeof(Cell)} + DeviceQueue::bytes(tiles) +
           kBufferEnds;
  }

 private:
  /// Rows lie in whole steps of cells.
  [[nodiscard]] static std::int64_t pitch_of(const Index3& size) {
    constexpr std::int64_t kStep = 64;
    return (size[0] + kStep - 1) / kStep * kStep;
  }

  [[nodiscard]] int tile_count() const { return tiles_x_ * tiles_y_; }
  void upload(const Volume& volume, DeviceBuffer<Cell>& to, const Stream& stream) {
    to.copy_rows_from(bits_of<Voxel>(volume), size_[0], pitch_, stream);
  }

  template <bool diagonal>
  void run_with(DeviceCounter& clipped, Context& context, const Stream& stream) {
    using Tiles = PlaneTiles<Cell, diagonal>;
    const Tiles tiles(Plane{cells_.data(), limits_.data(), sides_.data(), limit_sides_.data(),
                            unfinished_.data(), tiles_x_, tiles_y_});
    const RawPlane<Cell> raw{marker_.data(), mask_.data(), size_[0], size_[1], pitch_};
    constexpr int kWarps = Tiles::kThreads / 32;
    begin_kernel<Voxel, diagonal>
        <<<(tile_count() + kWarps - 1) / kWarps, Tiles::kThreads, 0, stream.get()>>>(
            raw, tiles, tiles_x_, tile_count(), turned_, clipped.data());
    check_launch(stream.get());
    DeviceQueue queue(tile_count(), stream);
    queue.queue_all(stream);
    run_tiles(queue, tiles, context, stream);
    end_kernel<Voxel, diagonal>
        <<<(tile_count() + kEndWarps - 1) / kEndWarps, kEndWarps * 32, 0, stream.get()>>>(
            raw, tiles, tiles_x_, tile_count(), turned_);
    check_launch(stream.get());
  }

  Index3 size_;
  int tiles_x_;
  int tiles_y_;
  std::int64_t pitch_;
  bool turned_;
  DeviceBuffer<Cell> marker_;
  DeviceBuffer<Cell> mask_;
  DeviceBuffer<Cell> cells_;
  DeviceBuffer<Cell> limits_;
  DeviceBuffer<Cell> sides_;
  DeviceBuffer<Cell> limit_sides_;
  DeviceBuffer<std::uint8_t> unfinished_;
};

}  // namespace seedwave::gpu
