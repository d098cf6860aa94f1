// SPDX-License-Identifier: Apache-2.0
#include "core/image/stains.h"

#include "core/image/vec3.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace seedwave {
namespace {

Vec3 normalised(const Vec3& v) {
  const double length = norm(v);
  return {v[0] / length, v[1] / length, v[2] / length};
}

}  // namespace

std::array<double, 256> optical_densities() {
  std::array<double, 256> density{};
  for (std::size_t v = 0; v < density.size(); ++v)
    density[v] = -std::log10(std::max(1.0, static_cast<double>(v)) / 255.0);
  return density;
}

/// Returns a row of the inverse of (wanted, other, wanted x other).
Vec3 unmixing_row(const Vec3& wanted, const Vec3& other) {
  const Vec3 w = normalised(wanted);
  const Vec3 o = normalised(other);
  const Vec3 residual = normalised(cross(w, o));
  const Vec3 row = cross(o, residual);
  const double scale = dot(w, row);
  return {row[0] / scale, row[1] / scale, row[2] / scale};
}

}  // namespace seedwave
