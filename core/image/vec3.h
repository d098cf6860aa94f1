// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <cmath>

namespace seedwave {

/// Vector arithmetic, component by component in this order: digests depend on its results.

[[nodiscard]] inline Vec3 plus(const Vec3& a, const Vec3& b) noexcept {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

[[nodiscard]] inline Vec3 minus(const Vec3& a, const Vec3& b) noexcept {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

[[nodiscard]] inline Vec3 scaled(const Vec3& a, double by) noexcept {
  return {a[0] * by, a[1] * by, a[2] * by};
}

[[nodiscard]] inline double dot(const Vec3& a, const Vec3& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

[[nodiscard]] inline Vec3 cross(const Vec3& a, const Vec3& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

[[nodiscard]] inline double norm(const Vec3& a) noexcept {
  return std::sqrt(dot(a, a));
}

}  // namespace seedwave
