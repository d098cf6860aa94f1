// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {

/// Returns the grid of a box of voxels, each of which keeps its place in the world. The box must be
/// inside and not empty.
[[nodiscard]] Geometry crop(const Geometry& geometry, const Box& box);

/// Returns the offset in a grid of a voxel, from its offset on the grid of a box.
[[nodiscard]] inline std::int64_t offset_in_whole(std::int64_t offset, const Box& box,
                                                  const Geometry& whole) noexcept {
  const std::int64_t columns = box.hi[0] - box.lo[0];
  const std::int64_t rows = box.hi[1] - box.lo[1];
  const std::int64_t row = offset / columns;
  return whole.offset(
      {box.lo[0] + offset % columns, box.lo[1] + row % rows, box.lo[2] + row / rows});
}

/// Returns the values of a whole grid: those of a part in its box, `outside` elsewhere.
template <typename T>
[[nodiscard]] std::vector<T> laid(std::span<const T> part, const Box& box, const Geometry& whole,
                                  T outside) {
  std::vector<T> values(static_cast<std::size_t>(whole.voxel_count()), outside);
  const std::int64_t columns = box.hi[0] - box.lo[0];
  const T* from = part.data();
  for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
    for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
      std::copy_n(from, columns, values.begin() + whole.offset({box.lo[0], y, z}));
      from += columns;
    }
  }
  return values;
}

/// Returns the voxels inside the box, on its grid, with all components. The whole is not copied.
[[nodiscard]] Volume crop(const Volume& volume, const Box& box);
[[nodiscard]] LabelMap crop(const LabelMap& labels, const Box& box);

/// The same without a copy, for boxes whose voxels are contiguous: whole slices of a volume, whole
/// rows of an image. A part that begins at the first voxel has the volume's owner().
[[nodiscard]] Volume shared_part(const Volume& volume, const Box& box);

}  // namespace seedwave
