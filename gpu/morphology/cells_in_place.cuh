// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/counter.h"
#include "gpu/device/launch.h"
#include "gpu/device/stream.h"
#include "gpu/morphology/voxel_bits.cuh"

#include <cstdint>

/// In-place conversion of a reconstruction's voxels to cells and back, in device memory.
namespace seedwave::gpu {

/// Converts voxels to cells in place and clips the marker to the mask. One thread per cell. No
/// races except on the count, which is atomic.
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

/// Converts cells to voxels in place. One thread per cell; no races.
template <typename Voxel>
__global__ void __launch_bounds__(kBlockSize)
    to_voxels_kernel(CellOf<Voxel>* cells, std::int64_t count, bool turned) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  if (i < count) cells[i] = bits_from_cell<Voxel>(cells[i], turned);
}

/// Enqueues: marker and mask, `count` voxels each, become cells, and the marker is clipped to the
/// mask.
template <typename Voxel>
void to_cells(CellOf<Voxel>* marker, CellOf<Voxel>* mask, std::int64_t count, bool turned,
              DeviceCounter& clipped, const Stream& stream) {
  to_cells_kernel<Voxel><<<blocks_for(count), kBlockSize, 0, stream.get()>>>(
      marker, mask, count, turned, clipped.data());
  check_launch(stream.get());
}
/// Enqueues the conversion back.
template <typename Voxel>
void to_voxels(CellOf<Voxel>* cells, std::int64_t count, bool turned, const Stream& stream) {
  to_voxels_kernel<Voxel><<<blocks_for(count), kBlockSize, 0, stream.get()>>>(cells, count, turned);
  check_launch(stream.get());
}

}  // namespace seedwave::gpu
