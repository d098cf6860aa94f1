// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "gpu/device/buffer.h"
#include "gpu/wavefront/device_queue.h"
#include "gpu/wavefront/plane_tiles.cuh"

#include <cstdint>

namespace seedwave::gpu {

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
