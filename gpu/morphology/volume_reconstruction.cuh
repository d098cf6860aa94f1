// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/wavefront/reconstruction_rule.h"
#include "gpu/device/buffer.h"
#include "gpu/device/counter.h"
#include "gpu/device/download.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/cells_in_place.cuh"
#include "gpu/morphology/voxel_bits.cuh"
#include "gpu/wavefront/rule_tiles.cuh"

#include <cstdint>
#include <span>

/// Reconstruction of volumes with a generic rule.
namespace seedwave::gpu {

/// A reconstruction of a volume on the device.
template <typename Voxel>
class VolumeOnDevice {
  using Cell = CellOf<Voxel>;

 public:
  VolumeOnDevice(const Index3& size, ReconstructionDirection direction, const Stream& stream)
      : size_(size),
        turned_(direction == ReconstructionDirection::Erosion),
        cells_(size_[0] * size_[1] * size_[2], stream),
        limits_(cells_.size(), stream) {}

  /// Enqueues the upload.
  void upload(const ReconstructionProblem& problem, const Stream& stream) {
    cells_.copy_from(bits_of<Voxel>(problem.marker), stream);
    limits_.copy_from(bits_of<Voxel>(problem.mask), stream);
  }

  /// Replaces the marker by the result. Synchronises the stream. Throws Cancelled.
  WaveEnd run(Connectivity connectivity, OnCrawl, DeviceCounter& clipped, Context& context,
              const Stream& stream) {
    to_cells<Voxel>(cells_.data(), limits_.data(), cells_.size(), turned_, clipped, stream);
    run_rule(RiseRule<Cell>{limits_.data()}, size_, connectivity, cells_, context, stream);
    to_voxels<Voxel>(cells_.data(), cells_.size(), turned_, stream);
    return WaveEnd::AtRest;
  }

  [[nodiscard]] static std::int64_t bytes(const Index3& size) {
    return size[0] * size[1] * size[2] * 2 * std::int64_t{sizeof(Cell)} + rule_queue_bytes(size) +
           kBufferEnds;
  }

  /// Synchronises the stream. Throws Cancelled.
  void download(std::span<Cell> bits, Context& context, const Stream& stream) const {
    gpu::download(cells_, bits, context, stream);
  }

 private:
  Index3 size_;
  bool turned_;
  DeviceBuffer<Cell> cells_;
  DeviceBuffer<Cell> limits_;
};

}  // namespace seedwave::gpu
