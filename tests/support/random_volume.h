// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "tests/support/random_numbers.h"

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave::test {

template <typename T>
Volume random_volume_of(RandomNumbers& random, const Geometry& geometry, std::int64_t levels) {
  std::vector<T> voxels;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const std::int64_t value = random.below(levels);
    if constexpr (std::is_floating_point_v<T>) {
      voxels.push_back(static_cast<T>(value - levels / 2) / T{4});
    } else if constexpr (std::is_signed_v<T>) {
      voxels.push_back(static_cast<T>(value - levels / 2));
    } else {
      voxels.push_back(static_cast<T>(value));
    }
  }
  return Volume(geometry, std::move(voxels));
}

/// Returns noise: few levels make plateaus, many make slopes.
inline Volume random_volume(RandomNumbers& random, const Geometry& geometry, VoxelType type) {
  const std::int64_t levels = random.of(std::array<std::int64_t, 4>{1, 3, 20, 256});
  switch (type) {
    case VoxelType::U8:
      return random_volume_of<std::uint8_t>(random, geometry, levels);
    case VoxelType::I16:
      return random_volume_of<std::int16_t>(random, geometry, levels * 200);
    case VoxelType::U16:
      return random_volume_of<std::uint16_t>(random, geometry, levels * 200);
    case VoxelType::I32:
      return random_volume_of<std::int32_t>(random, geometry, levels * 4000000);
    default:
      break;
  }
  return random_volume_of<float>(random, geometry, levels);
}

/// Returns the values in order, x fastest, as numbers.
inline std::vector<double> values_of(const Volume& volume) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < volume.geometry().voxel_count(); ++i)
    values.push_back(volume.value_at(volume.geometry().index_of(i)));
  return values;
}

/// Returns an image of one row.
template <typename T>
Volume line_of(std::vector<T> voxels) {
  Geometry geometry;
  geometry.size = {static_cast<std::int64_t>(voxels.size()), 1, 1};
  return Volume(geometry, std::move(voxels));
}

}  // namespace seedwave::test
