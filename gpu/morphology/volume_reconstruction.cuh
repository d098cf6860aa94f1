// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/wavefront/reconstruction_rule.h"
#include "gpu/device/buffer.h"
#include "gpu/device/counter.h"
#include "gpu/device/launch.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/voxel_bits.cuh"
#include "gpu/wavefront/rule_tiles.cuh"

#include <cstdint>
#include <span>

/// Reconstruction of volumes, as a rule like any other.
namespace seedwave::gpu {

/// Voxels become cells where they lie, the marker is cut to the mask. One thread a voxel; no races.
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

/// A reconstruction in a volume, on the device.
template <typename Voxel>
class VolumeOnDevice {
  using Cell = CellOf<Voxel>;

 public:
  VolumeOnDevice(const Index3& size, ReconstructionDirection direction, const Stream& stream)
      : size_(size),
        turned_(direction == ReconstructionDirection::Erosion),
        cells_(size_[0] * size_[1] * size_[2], stream),
        limits_(cells_.size(), stream) {}

  /// Enqueued.
  void upload(const ReconstructionProblem& problem, const Stream& stream) {
    cells_.copy_from(bits_of<Voxel>(problem.marker), stream);
    limits_.copy_from(bits_of<Voxel>(problem.mask), stream);
  }

  /// The marker's memory then holds the result. Waits for the stream. Throws Cancelled.
  WaveEnd run(Connectivity connectivity, OnCrawl, DeviceCounter& clipped, Context& context,
              const Stream& stream) {
    const unsigned blocks = blocks_for(cells_.size());
    to_cells_kernel<Voxel><<<blocks, kBlockSize, 0, stream.get()>>>(
        cells_.data(), limits_.data(), cells_.size(), turned_, clipped.data());
    check_launch(stream.get());
    run_rule(RiseRule<Cell>{limits_.data()}, size_, connectivity, cells_, context, stream);
    to_voxels_kernel<Voxel>
        <<<blocks, kBlockSize, 0, stream.get()>>>(cells_.data(), cells_.size(), turned_);
    check_launch(stream.get());
    return WaveEnd::AtRest;
  }

  [[nodiscard]] static std::int64_t bytes(const Index3& size) {
    return size[0] * size[1] * size[2] * 2 * std::int64_t{sizeof(Cell)} + rule_queue_bytes(size) +
           kBufferEnds;
  }

  /// Enqueues the way back.
  void download(std::span<Cell> bits, const Stream& stream) const { cells_.copy_to(bits, stream); }

 private:
  Index3 size_;
  bool turned_;
  DeviceBuffer<Cell> cells_;
  DeviceBuffer<Cell> limits_;
};

}  // namespace seedwave::gpu
