// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/wavefront/ordered_cells.h"

#include <span>
#include <type_traits>

/// Voxels in device memory lie in buffers of their cell type (ordered_cells.h). Both have the same
/// size, so the conversions work in place.
namespace seedwave::gpu {

/// Returns a volume's voxels in the form copied to such a buffer.
template <typename Voxel>
std::span<const CellOf<Voxel>> bits_of(const Volume& volume) {
  const auto voxels = volume.voxels<Voxel>();
  return {reinterpret_cast<const CellOf<Voxel>*>(voxels.data()), voxels.size()};
}
/// Returns the destination of a copy from such a buffer.
template <typename Voxel>
std::span<CellOf<Voxel>> bits_in(std::span<Voxel> voxels) {
  return {reinterpret_cast<CellOf<Voxel>*>(voxels.data()), voxels.size()};
}

template <typename Voxel>
__device__ CellOf<Voxel> cell_from_bits(CellOf<Voxel> bits, bool turned) {
  if constexpr (std::is_same_v<Voxel, float>) {
    return to_cell(__int_as_float(bits), turned);
  } else {
    return to_cell(static_cast<Voxel>(bits), turned);
  }
}
template <typename Voxel>
__device__ CellOf<Voxel> bits_from_cell(CellOf<Voxel> cell, bool turned) {
  const Voxel voxel = from_cell<Voxel>(cell, turned);
  if constexpr (std::is_same_v<Voxel, float>) {
    return __float_as_int(voxel);
  } else {
    return static_cast<CellOf<Voxel>>(voxel);
  }
}

}  // namespace seedwave::gpu
