// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "gpu/device/buffer.h"
#include "gpu/morphology/voxel_bits.cuh"

#include <cstdint>
#include <vector>

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

inline constexpr unsigned kPlaneThreads = 256;

[[nodiscard]] inline unsigned plane_blocks(std::int64_t cells) {
  return static_cast<unsigned>((cells + kPlaneThreads - 1) / kPlaneThreads);
}

/// Voxels become cells where they lie, and the marker is cut to the mask. One thread a cell; no
/// races but the count, which is atomic.
template <typename Voxel>
__global__ void __launch_bounds__(kPlaneThreads)
    to_cells_kernel(CellOf<Voxel>* marker, CellOf<Voxel>* mask, std::int64_t count, bool turned,
                    unsigned long long* clipped) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kPlaneThreads + threadIdx.x;
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
__global__ void __launch_bounds__(kPlaneThreads)
    to_voxels_kernel(CellOf<Voxel>* cells, std::int64_t count, bool turned) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kPlaneThreads + threadIdx.x;
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
        mask_(count(), stream),
        clipped_(1, stream) {
    marker_.copy_from(bits_of(problem.marker), stream);
    mask_.copy_from(bits_of(problem.mask), stream);
  }

  [[nodiscard]] std::int64_t count() const { return std::int64_t{nx_} * ny_; }
  /// To be called once, before anything else.
  [[nodiscard]] CellPlane<Cell> begin(const Stream& stream) {
    clipped_.fill_bytes(0, stream);
    to_cells_kernel<Voxel><<<plane_blocks(count()), kPlaneThreads, 0, stream.get()>>>(
        marker_.data(), mask_.data(), count(), turned_, clipped_.data());
    check_launch(stream.get());
    return {marker_.data(), mask_.data(), nx_, ny_};
  }
  /// To be called once, when the marker has become the result.
  void end(const Stream& stream) {
    to_voxels_kernel<Voxel><<<plane_blocks(count()), kPlaneThreads, 0, stream.get()>>>(
        marker_.data(), count(), turned_);
    check_launch(stream.get());
  }
  [[nodiscard]] Reconstruction download(const Geometry& geometry, const Stream& stream) const {
    std::vector<Voxel> voxels(static_cast<std::size_t>(count()));
    unsigned long long clipped = 0;
    CUDA_CHECK(cudaMemcpyAsync(voxels.data(), marker_.data(), voxels.size() * sizeof(Voxel),
                               cudaMemcpyDeviceToHost, stream.get()));
    CUDA_CHECK(cudaMemcpyAsync(&clipped, clipped_.data(), sizeof clipped, cudaMemcpyDeviceToHost,
                               stream.get()));
    stream.synchronize();
    return {Volume(geometry, std::move(voxels)), static_cast<std::int64_t>(clipped)};
  }

 private:
  /// Narrow cells are raised by atomic operations on the word that they lie in.
  [[nodiscard]] static std::int64_t whole_words(std::int64_t cells) { return (cells + 3) / 4 * 4; }
  [[nodiscard]] static std::span<const Cell> bits_of(const Volume& volume) {
    const auto voxels = volume.voxels<Voxel>();
    return {reinterpret_cast<const Cell*>(voxels.data()), voxels.size()};
  }

  int nx_;
  int ny_;
  bool turned_;
  DeviceBuffer<Cell> marker_;
  DeviceBuffer<Cell> mask_;
  DeviceBuffer<unsigned long long> clipped_;
};

/// Device memory of it.
[[nodiscard]] inline std::int64_t bytes_of_plane(const Geometry& geometry, VoxelType type) {
  return geometry.voxel_count() * 2 * static_cast<std::int64_t>(bytes_of(type));
}

}  // namespace seedwave::gpu
