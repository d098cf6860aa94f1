// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/watershed_rules.h"
#include "gpu/device/launch.h"
#include "gpu/morphology/voxel_bits.cuh"

#include <cstdint>

/// Initial values of a watershed's cells, in any order.
namespace seedwave::gpu {

/// Number of cells that a thread of these kernels processes. A single one would leave it waiting
/// for memory.
inline constexpr int kCellsAThread = 8;
/// Calls see(i) for a thread's cells.
template <typename See>
__device__ void for_cells(std::int64_t count, const See& see) {
  const std::int64_t first = std::int64_t{blockIdx.x} * kBlockSize * kCellsAThread + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kCellsAThread; ++k) {
    const std::int64_t i = first + k * static_cast<int>(kBlockSize);
    if (i < count) see(i);
  }
}
[[nodiscard]] inline unsigned blocks_for_cells(std::int64_t count) {
  return blocks_for((count + kCellsAThread - 1) / kCellsAThread);
}

/// Converts voxels to cells in place, and removes markers outside the mask (null: none). A cell
/// takes unless it has a marker or lies outside the mask. No races: each thread owns its voxels.
template <typename Voxel, typename Marker>
__global__ void __launch_bounds__(kBlockSize)
    to_watershed_kernel(CellOf<Voxel>* f, Marker* markers, const std::uint8_t* mask,
                        std::uint8_t* takes, std::int64_t count) {
  for_cells(count, [=](std::int64_t i) {
    const bool inside = mask == nullptr || mask[i] != 0;
    f[i] = cell_from_bits<Voxel>(f[i], false);
    takes[i] = markers[i] == 0 && inside ? 1 : 0;
    if (!inside) markers[i] = 0;
  });
}

/// Initialises altitudes before the first pass: f at markers. A cell outside the mask gets the
/// highest value, which no water passes. No races: each thread owns its cells.
template <typename Marker, typename Cell>
__global__ void __launch_bounds__(kBlockSize)
    start_altitudes_kernel(const Marker* markers, const std::uint8_t* takes, Cell* f,
                           Cell* altitudes, std::int64_t count) {
  constexpr Cell kNotReached = AltitudeRule<Cell>::kNotReached;
  for_cells(count, [=](std::int64_t i) {
    if (markers[i] == 0 && takes[i] == 0) f[i] = kNotReached;
    altitudes[i] = markers[i] != 0 ? f[i] : kNotReached;
  });
}

}  // namespace seedwave::gpu
