// SPDX-License-Identifier: Apache-2.0
#include "core/ops/grid_size.h"

#include "core/image/length_scale.h"

#include <cmath>

namespace seedwave {

double voxel_size(const Geometry& geometry) {
  constexpr double kMm3PerMl = 1000.0;
  if (geometry.unit == LengthUnit::Pixel) return 1.0;
  const Vec3& edge = geometry.spacing;
  return geometry.is_2d() ? edge[0] * edge[1] : edge[0] * edge[1] * edge[2] / kMm3PerMl;
}

std::int64_t voxels_in(double size, const Geometry& geometry) {
  constexpr double kRounding = 1e-9;
  return static_cast<std::int64_t>(std::ceil(size / voxel_size(geometry) * (1.0 - kRounding)));
}

std::string grid_size_unit(const Geometry& geometry) {
  std::string length = grid_unit(geometry);
  if (geometry.unit == LengthUnit::Pixel) return length;
  return geometry.is_2d() ? length + "\u00b2" : "ml";
}

}  // namespace seedwave
