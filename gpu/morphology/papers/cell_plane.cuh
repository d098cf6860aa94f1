// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "gpu/device/buffer.h"
#include "gpu/device/counter.h"
#include "gpu/morphology/cells_in_place.cuh"
#include "gpu/morphology/voxel_bits.cuh"

#include <cstdint>
#include <span>

/// Marker and mask of an image on a device in the layout of the papers' algorithms: row by row,
/// without tiles.
namespace seedwave::gpu {

/// The mask has been applied as the marker's limit: marker <= mask, in cells (ordered_cells.h).
template <typename Cell>
struct CellPlane {
  Cell* marker;
  const Cell* mask;
  int nx;
  int ny;
};

/// A reconstruction's image on the device, with upload and download.
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

  /// Call once, before anything else.
  [[nodiscard]] CellPlane<Cell> begin(DeviceCounter& clipped, const Stream& stream) {
    to_cells<Voxel>(marker_.data(), mask_.data(), count(), turned_, clipped, stream);
    return {marker_.data(), mask_.data(), nx_, ny_};
  }
  /// Call once, when the marker has become the result.
  void end(const Stream& stream) { to_voxels<Voxel>(marker_.data(), count(), turned_, stream); }
  /// Enqueues the download.
  void download(std::span<Cell> to, const Stream& stream) const { marker_.copy_to(to, stream); }

 private:
  [[nodiscard]] std::int64_t count() const { return std::int64_t{nx_} * ny_; }
  /// Narrow cells are raised by atomic operations on the word that contains them.
  [[nodiscard]] static std::int64_t whole_words(std::int64_t cells) { return (cells + 3) / 4 * 4; }

  int nx_;
  int ny_;
  bool turned_;
  DeviceBuffer<Cell> marker_;
  DeviceBuffer<Cell> mask_;
};

/// Returns the device memory of a plane.
[[nodiscard]] inline std::int64_t bytes_of_plane(const Geometry& geometry, VoxelType type) {
  return geometry.voxel_count() * 2 * static_cast<std::int64_t>(bytes_of(type));
}

}  // namespace seedwave::gpu
