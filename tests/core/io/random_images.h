// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace seedwave::test {

/// Returns an oblique, anisotropic grid, right- or left-handed, somewhere in the body.
inline Geometry random_grid(std::mt19937& random) {
  std::uniform_real_distribution<double> angle(-3.1, 3.1);
  std::uniform_real_distribution<double> length(0.1, 5.0);
  std::uniform_real_distribution<double> place(-300.0, 300.0);
  std::uniform_int_distribution<std::int64_t> size(1, 17);
  // A rotation by a random quaternion.
  std::normal_distribution<double> normal;
  double a = normal(random);
  double b = normal(random);
  double c = normal(random);
  double d = normal(random);
  const double n = std::sqrt(a * a + b * b + c * c + d * d);
  a /= n;
  b /= n;
  c /= n;
  d /= n;
  const double hand = angle(random) < 0 ? -1.0 : 1.0;
  Geometry g;
  g.size = {size(random), size(random), size(random)};
  g.spacing = {length(random), length(random), length(random)};
  g.origin = {place(random), place(random), place(random)};
  g.direction = {a * a + b * b - c * c - d * d,
                 2 * (b * c - a * d),
                 hand * 2 * (b * d + a * c),
                 2 * (b * c + a * d),
                 a * a + c * c - b * b - d * d,
                 hand * 2 * (c * d - a * b),
                 2 * (b * d - a * c),
                 2 * (c * d + a * b),
                 hand * (a * a + d * d - b * b - c * c)};
  return g;
}

/// Returns voxels of every bit pattern that is a number.
template <typename T>
Volume random_volume(const Geometry& geometry, std::mt19937& random, int components = 1) {
  std::vector<T> voxels(static_cast<std::size_t>(geometry.voxel_count() * components));
  for (T& voxel : voxels) {
    if constexpr (std::is_floating_point_v<T>) {
      voxel = static_cast<T>(std::normal_distribution<double>(0, 1000)(random));
    } else {
      voxel = static_cast<T>(std::uniform_int_distribution<std::int64_t>(
          std::numeric_limits<T>::min(), std::numeric_limits<T>::max())(random));
    }
  }
  return Volume(geometry, std::move(voxels), components);
}

inline Volume random_volume(VoxelType type, const Geometry& geometry, std::mt19937& random,
                            int components = 1) {
  switch (type) {
    case VoxelType::U8:
      return random_volume<std::uint8_t>(geometry, random, components);
    case VoxelType::I16:
      return random_volume<std::int16_t>(geometry, random, components);
    case VoxelType::U16:
      return random_volume<std::uint16_t>(geometry, random, components);
    case VoxelType::I32:
      return random_volume<std::int32_t>(geometry, random, components);
    default:
      break;
  }
  return random_volume<float>(geometry, random, components);
}

inline bool same_voxels(const Volume& a, const Volume& b) {
  return a.type() == b.type() && a.components() == b.components() &&
         std::ranges::equal(a.bytes(), b.bytes());
}

}  // namespace seedwave::test
