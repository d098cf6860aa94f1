// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <cstdint>
#include <string>

/// Sizes of parts in the unit of their grid (kGridSize): ml of volumes, squares of the grid's unit
/// of 2-D images, numbers of voxels if there is no scale.
namespace seedwave {

/// Returns the size of a voxel.
[[nodiscard]] double voxel_size(const Geometry& geometry);

/// Returns the smallest number of voxels that are not fewer than `size`.
[[nodiscard]] std::int64_t voxels_in(double size, const Geometry& geometry);

/// Returns "ml", "mm²", "µm²", "px" or "voxels".
[[nodiscard]] std::string grid_size_unit(const Geometry& geometry);

}  // namespace seedwave
