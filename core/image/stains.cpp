// SPDX-License-Identifier: Apache-2.0
#include "core/image/stains.h"

#include "core/image/vec3.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace seedwave {

Vec3 unit_of(const Vec3& densities) {
  const double length = norm(densities);
  return {densities[0] / length, densities[1] / length, densities[2] / length};
}

std::array<double, 256> optical_densities(std::uint8_t background) {
  std::array<double, 256> density{};
  for (std::size_t v = 0; v < density.size() && v <= background; ++v)
    density[v] = -std::log10(std::max(1.0, static_cast<double>(v)) / background);
  return density;
}

std::array<std::array<double, 256>, 3> optical_densities(const Rgb& background) {
  return {optical_densities(background[0]), optical_densities(background[1]),
          optical_densities(background[2])};
}

/// Returns a row of the inverse of (wanted, other, wanted x other).
Vec3 unmixing_row(const Vec3& wanted, const Vec3& other) {
  const Vec3 w = unit_of(wanted);
  const Vec3 o = unit_of(other);
  const Vec3 residual = unit_of(cross(w, o));
  const Vec3 row = cross(o, residual);
  const double scale = dot(w, row);
  return {row[0] / scale, row[1] / scale, row[2] / scale};
}

}  // namespace seedwave
