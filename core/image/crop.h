// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"

namespace seedwave {

/// Returns the grid of a box of voxels, each of which keeps its place in the world. The box must be
/// inside and not empty.
[[nodiscard]] Geometry crop(const Geometry& geometry, const Box& box);

/// Returns the voxels inside the box, on its grid, with all components. The whole is not copied.
[[nodiscard]] Volume crop(const Volume& volume, const Box& box);
[[nodiscard]] LabelMap crop(const LabelMap& labels, const Box& box);

/// The same without a copy, for boxes whose voxels are contiguous: whole slices of a volume, whole
/// rows of an image. A part that begins at the first voxel has the volume's owner().
[[nodiscard]] Volume shared_part(const Volume& volume, const Box& box);

}  // namespace seedwave
