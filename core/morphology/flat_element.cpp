// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/flat_element.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace seedwave {
namespace {

constexpr double kToSpare = 1e-9;

/// Returns the largest n <= most with n * step within `squared`, which must not be negative.
std::int64_t steps_within(double squared, double step, std::int64_t most) {
  const double steps = std::floor(std::sqrt(squared) / step);
  if (steps >= static_cast<double>(most)) return most;
  auto n = static_cast<std::int64_t>(steps);
  // The root is rounded, so the square decides.
  const auto fits = [&](std::int64_t i) {
    const double length = static_cast<double>(i) * step;
    return length * length <= squared;
  };
  while (n > 0 && !fits(n))
    --n;
  while (n < most && fits(n + 1))
    ++n;
  return n;
}

}  // namespace

FlatElement::FlatElement(std::vector<Row> rows) : rows_(std::move(rows)) {
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.half_width < b.half_width; });
  for (const Row& row : rows_) {
    reach_[0] = std::max(reach_[0], row.half_width);
    reach_[1] = std::max(reach_[1], std::abs(row.dy));
    reach_[2] = std::max(reach_[2], std::abs(row.dz));
  }
}

FlatElement FlatElement::ball(double radius, const Geometry& geometry) {
  require(radius >= 0.0);
  const double whole = radius * radius * (1.0 + kToSpare);
  const Vec3& spacing = geometry.spacing;
  const Index3& size = geometry.size;
  std::vector<Row> rows;
  const std::int64_t along_z = steps_within(whole, spacing[2], size[2] - 1);
  for (std::int64_t dz = -along_z; dz <= along_z; ++dz) {
    const double z = static_cast<double>(dz) * spacing[2];
    const double in_plane = std::max(0.0, whole - z * z);
    const std::int64_t along_y = steps_within(in_plane, spacing[1], size[1] - 1);
    for (std::int64_t dy = -along_y; dy <= along_y; ++dy) {
      const double y = static_cast<double>(dy) * spacing[1];
      const double in_row = std::max(0.0, in_plane - y * y);
      rows.push_back({dy, dz, steps_within(in_row, spacing[0], size[0] - 1)});
    }
  }
  return FlatElement(std::move(rows));
}

FlatElement FlatElement::box(const Index3& reach, const Geometry& geometry) {
  Index3 most{};
  for (int axis = 0; axis < 3; ++axis)
    most[axis] = std::min(reach[axis], geometry.size[axis] - 1);
  std::vector<Row> rows;
  for (std::int64_t dz = -most[2]; dz <= most[2]; ++dz) {
    for (std::int64_t dy = -most[1]; dy <= most[1]; ++dy)
      rows.push_back({dy, dz, most[0]});
  }
  return FlatElement(std::move(rows));
}

}  // namespace seedwave
