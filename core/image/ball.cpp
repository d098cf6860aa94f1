// SPDX-License-Identifier: Apache-2.0
#include "core/image/ball.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace seedwave {
namespace {

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

std::vector<BallRow> ball_rows(double radius, const Vec3& spacing, const Index3& most) {
  require(radius >= 0.0);
  constexpr double kToSpare = 1e-9;
  const double whole = radius * radius * (1.0 + kToSpare);
  std::vector<BallRow> rows;
  const std::int64_t along_z = steps_within(whole, spacing[2], most[2]);
  for (std::int64_t dz = -along_z; dz <= along_z; ++dz) {
    const double z = static_cast<double>(dz) * spacing[2];
    const double in_plane = std::max(0.0, whole - z * z);
    const std::int64_t along_y = steps_within(in_plane, spacing[1], most[1]);
    for (std::int64_t dy = -along_y; dy <= along_y; ++dy) {
      const double y = static_cast<double>(dy) * spacing[1];
      const double in_row = std::max(0.0, in_plane - y * y);
      rows.push_back({dy, dz, steps_within(in_row, spacing[0], most[0])});
    }
  }
  return rows;
}

}  // namespace seedwave
