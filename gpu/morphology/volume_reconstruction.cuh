// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "gpu/device/buffer.h"
#include "gpu/morphology/voxel_bits.cuh"
#include "gpu/wavefront/rule_tiles.cuh"

#include <cstdint>
#include <limits>
#include <vector>

/// Reconstruction of volumes, as a rule like any other.
namespace seedwave::gpu {

/// A cell rises to its neighbours, not above its own limit.
template <typename Cell>
struct RiseRule {
  using State = Cell;

  const Cell* limits;

  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    return from < limits[edge.to] ? from : limits[edge.to];
  }
  static SEEDWAVE_HD State join(State a, State b) { return a < b ? b : a; }
};

inline constexpr unsigned kVoxelBlock = 256;

/// Voxels become cells where they lie, the marker is cut to the mask. One thread a voxel; no races.
template <typename Voxel>
__global__ void __launch_bounds__(kVoxelBlock)
    to_cells_kernel(CellOf<Voxel>* marker, CellOf<Voxel>* mask, std::int64_t count, bool turned,
                    unsigned long long* clipped) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kVoxelBlock + threadIdx.x;
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
__global__ void __launch_bounds__(kVoxelBlock)
    to_voxels_kernel(CellOf<Voxel>* cells, std::int64_t count, bool turned) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kVoxelBlock + threadIdx.x;
  if (i < count) cells[i] = bits_from_cell<Voxel>(cells[i], turned);
}

/// A reconstruction in a volume, on the device.
template <typename Voxel>
class VolumeOnDevice {
  using Cell = CellOf<Voxel>;

 public:
  VolumeOnDevice(const ReconstructionProblem& problem, const Stream& stream)
      : size_(problem.mask.geometry().size),
        turned_(problem.direction == ReconstructionDirection::Erosion),
        cells_(size_[0] * size_[1] * size_[2], stream),
        limits_(cells_.size(), stream),
        clipped_(1, stream) {
    cells_.copy_from(bits_of(problem.marker), stream);
    limits_.copy_from(bits_of(problem.mask), stream);
  }

  /// The marker's memory then holds the result. Waits for the stream. Throws Cancelled.
  void run(Connectivity connectivity, Context& context, const Stream& stream) {
    const auto blocks = static_cast<unsigned>((cells_.size() + kVoxelBlock - 1) / kVoxelBlock);
    clipped_.fill_bytes(0, stream);
    to_cells_kernel<Voxel><<<blocks, kVoxelBlock, 0, stream.get()>>>(
        cells_.data(), limits_.data(), cells_.size(), turned_, clipped_.data());
    check_launch(stream.get());
    run_rule(RiseRule<Cell>{limits_.data()}, size_, connectivity, cells_, context, stream);
    to_voxels_kernel<Voxel>
        <<<blocks, kVoxelBlock, 0, stream.get()>>>(cells_.data(), cells_.size(), turned_);
    check_launch(stream.get());
  }

  [[nodiscard]] std::vector<Voxel> voxels(const Stream& stream) const {
    std::vector<Voxel> voxels(static_cast<std::size_t>(cells_.size()));
    CUDA_CHECK(cudaMemcpyAsync(voxels.data(), cells_.data(), cells_.bytes(), cudaMemcpyDeviceToHost,
                               stream.get()));
    return voxels;
  }
  /// Waits for the stream.
  [[nodiscard]] std::int64_t clipped(const Stream& stream) const {
    unsigned long long count = 0;
    CUDA_CHECK(cudaMemcpyAsync(&count, clipped_.data(), sizeof count, cudaMemcpyDeviceToHost,
                               stream.get()));
    stream.synchronize();
    return static_cast<std::int64_t>(count);
  }

 private:
  [[nodiscard]] static std::span<const Cell> bits_of(const Volume& volume) {
    const auto voxels = volume.voxels<Voxel>();
    return {reinterpret_cast<const Cell*>(voxels.data()), voxels.size()};
  }

  Index3 size_;
  bool turned_;
  DeviceBuffer<Cell> cells_;
  DeviceBuffer<Cell> limits_;
  DeviceBuffer<unsigned long long> clipped_;
};

}  // namespace seedwave::gpu
