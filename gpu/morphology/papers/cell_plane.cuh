// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "gpu/device/buffer.h"
#include "gpu/device/counter.h"
#include "gpu/device/launch.h"
#include "gpu/morphology/voxel_bits.cuh"

#include <cstdint>
#include <span>

/// Marker and mask of an image on a device as the papers' algorithms have them: row by row, without
/// tiles.
namespace seedwave::gpu {

/// The mask as it came is behind the marker's limit: marker <= mask, in cells (ordered_cells.h).
template <typename Cell>
struct CellPlane {
  Cell* marker;
  const Cell* mask;
  int nx;
  int ny;
};

/// Voxels become cells where they lie, and the marker is cut to the mask. One thread a cell; no
/// races but the count, which is atomic.
template <typename Voxel>
__global__ void __launch_bounds__(kBlockSize)
    to_cells_kernel(CellOf<Voxel>* marker, CellOf<Voxel>* mask, std::int64_t count, bool turned,
                    unsigned long long* clipped) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  bool cut = false;
  if (i < count) {
    const auto limit = cell_from_bits<Voxel>(mask[i], turned);
    const auto cell = cell_from_bits<Voxel>(marker[i], turned);
    cut = cell > limit;
    mask[i] = limit;
    marker[i] = cut ? limit : cell;
  }
  const unsigned cuts = __ballot_sync(0xFFFFFFFFU, cut);
  if (cuts != 0 && threadIdx.x % 32 == 0) {
    atomicAdd(clipped, static_cast<unsigned long long>(__popc(cuts)));
  }
}

/// Cells become voxels where they lie. One thread a cell; no races.
template <typename Voxel>
__global__ void __launch_bounds__(kBlockSize)
    to_voxels_kernel(CellOf<Voxel>* cells, std::int64_t count, bool turned) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  if (i < count) cells[i] = bits_from_cell<Voxel>(cells[i], turned);
}

/// A reconstruction's image on the device, and the ways there and back.
template <typename Voxel>
class PlaneInRows {
 public:
  using Cell = CellOf<Voxel>;

  PlaneInRows(const ReconstructionProblem& problem, const Stream& stream)
      : nx_(static_cast<int>(problem.mask.geometry().size[0])),
        ny_(static_cast<int>(problem.mask.geometry().size[1])),
        turned_(problem.direction == ReconstructionDirection::Erosion),
        marker_(whole_words(count()), stream),
        mask_(count(), stream) {
    marker_.copy_from(bits_of<Voxel>(problem.marker), stream);
    mask_.copy_from(bits_of<Voxel>(problem.mask), stream);
  }

  /// To be called once, before anything else.
  [[nodiscard]] CellPlane<Cell> begin(DeviceCounter& clipped, const Stream& stream) {
    to_cells_kernel<Voxel><<<blocks_for(count()), kBlockSize, 0, stream.get()>>>(
        marker_.data(), mask_.data(), count(), turned_, clipped.data());
    check_launch(stream.get());
    return {marker_.data(), mask_.data(), nx_, ny_};
  }
  /// To be called once, when the marker has become the result.
  void end(const Stream& stream) {
    to_voxels_kernel<Voxel>
        <<<blocks_for(count()), kBlockSize, 0, stream.get()>>>(marker_.data(), count(), turned_);
    check_launch(stream.get());
  }
  /// Enqueues the way back.
  void download(std::span<Cell> to, const Stream& stream) const { marker_.copy_to(to, stream); }

 private:
  [[nodiscard]] std::int64_t count() const { return std::int64_t{nx_} * ny_; }
  /// Narrow cells are raised by atomic operations on the word that they lie in.
  [[nodiscard]] static std::int64_t whole_words(std::int64_t cells) { return (cells + 3) / 4 * 4; }

  int nx_;
  int ny_;
  bool turned_;
  DeviceBuffer<Cell> marker_;
  DeviceBuffer<Cell> mask_;
};

/// Device memory of it.
[[nodiscard]] inline std::int64_t bytes_of_plane(const Geometry& geometry, VoxelType type) {
  return geometry.voxel_count() * 2 * static_cast<std::int64_t>(bytes_of(type));
}

}  // namespace seedwave::gpu
