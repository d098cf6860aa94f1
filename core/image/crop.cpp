// SPDX-License-Identifier: Apache-2.0
#include "core/image/crop.h"

#include "core/base/error.h"

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace seedwave {
namespace {

/// Copies the rows of a box; `values` has `components` values per voxel.
template <typename T>
std::vector<T> rows_of(std::span<const T> values, const Geometry& geometry, const Box& box,
                       int components) {
  const std::int64_t width = (box.hi[0] - box.lo[0]) * components;
  std::vector<T> cropped;
  cropped.reserve(static_cast<std::size_t>(crop(geometry, box).voxel_count() * components));
  for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
    for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
      const auto row = values.begin() + geometry.offset({box.lo[0], y, z}) * components;
      cropped.insert(cropped.end(), row, row + width);
    }
  }
  return cropped;
}

}  // namespace

Geometry crop(const Geometry& geometry, const Box& box) {
  require(!box.empty() && geometry.contains(box.lo));
  require(geometry.contains({box.hi[0] - 1, box.hi[1] - 1, box.hi[2] - 1}));
  Geometry cropped = geometry;
  cropped.origin = geometry.to_world(box.lo);
  for (int axis = 0; axis < 3; ++axis)
    cropped.size[axis] = box.hi[axis] - box.lo[axis];
  return cropped;
}

Volume crop(const Volume& volume, const Box& box) {
  const Geometry part = crop(volume.geometry(), box);
  if (part.size == volume.geometry().size) return volume;
  return visit_stored(volume, [&](auto voxels) {
    return Volume(part, rows_of(voxels, volume.geometry(), box, volume.components()),
                  volume.components());
  });
}

LabelMap crop(const LabelMap& labels, const Box& box) {
  const Geometry part = crop(labels.geometry(), box);
  if (part.size == labels.geometry().size) return labels;
  return visit_labels(labels.labels(), [&](auto values) {
    return LabelMap(part, rows_of(values, labels.geometry(), box, 1));
  });
}

Volume shared_part(const Volume& volume, const Box& box) {
  return visit_voxels(volume, [&](auto voxels) {
    using T = std::remove_const_t<typename decltype(voxels)::element_type>;
    const Geometry part = crop(volume.geometry(), box);
    const std::int64_t first = volume.geometry().offset(box.lo);
    require(volume.geometry().offset({box.hi[0] - 1, box.hi[1] - 1, box.hi[2] - 1}) - first + 1 ==
            part.voxel_count());
    const T* values = voxels.data() + first * volume.components();
    return Volume(part, std::shared_ptr<const T[]>(volume.owner(), values), volume.components());
  });
}

}  // namespace seedwave
