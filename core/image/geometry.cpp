// SPDX-License-Identifier: Apache-2.0
#include "core/image/geometry.h"

#include "core/base/error.h"
#include "core/image/length_scale.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace seedwave {
namespace {

Vec3 multiply(const Matrix3& m, const Vec3& v) noexcept {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

double dot_columns(const Matrix3& m, int a, int b) noexcept {
  return m[a] * m[b] + m[3 + a] * m[3 + b] + m[6 + a] * m[6 + b];
}

}  // namespace

bool Geometry::contains(const Index3& index) const noexcept {
  for (int axis = 0; axis < 3; ++axis) {
    if (index[axis] < 0 || index[axis] >= size[axis]) return false;
  }
  return true;
}

bool Geometry::has_two_axes() const noexcept {
  if (!is_2d()) return false;
  if (unit == LengthUnit::Pixel) return true;
  const Matrix3& d = direction;
  // Multiplication by 0 and 1 keeps these numbers exact.
  return planar && spacing[2] == 1.0 && origin[2] == 0.0 && d[2] == 0.0 && d[5] == 0.0 &&
         d[6] == 0.0 && d[7] == 0.0 && d[8] == 1.0;
}

Vec3 Geometry::to_world(const Vec3& index) const noexcept {
  const Vec3 step =
      multiply(direction, {index[0] * spacing[0], index[1] * spacing[1], index[2] * spacing[2]});
  return {origin[0] + step[0], origin[1] + step[1], origin[2] + step[2]};
}

Vec3 Geometry::to_world(const Index3& index) const noexcept {
  return to_world(Vec3{static_cast<double>(index[0]), static_cast<double>(index[1]),
                       static_cast<double>(index[2])});
}

Vec3 Geometry::centre() const noexcept {
  Vec3 middle{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    middle[axis] = static_cast<double>(size[axis] - 1) / 2.0;
  return to_world(middle);
}

Vec3 Geometry::to_index(const Vec3& world) const noexcept {
  // The direction is orthonormal, so its transpose is its inverse.
  const Matrix3& d = direction;
  const Matrix3 inverse{d[0], d[3], d[6], d[1], d[4], d[7], d[2], d[5], d[8]};
  const Vec3 step =
      multiply(inverse, {world[0] - origin[0], world[1] - origin[1], world[2] - origin[2]});
  return {step[0] / spacing[0], step[1] / spacing[1], step[2] / spacing[2]};
}

Index3 Geometry::nearest_index(const Vec3& world) const noexcept {
  const Vec3 index = to_index(world);
  return {std::llround(index[0]), std::llround(index[1]), std::llround(index[2])};
}

double Geometry::voxel_volume() const noexcept {
  return is_2d() && unit != LengthUnit::Millimetre ? spacing[0] * spacing[1]
                                                   : spacing[0] * spacing[1] * spacing[2];
}

void Geometry::validate(const std::string& what) const {
  // Leaves room for 16 bytes per voxel in a signed 64-bit byte count.
  constexpr std::int64_t kMostVoxels = std::numeric_limits<std::int64_t>::max() / 16;
  std::int64_t count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] <= 0) throw InputError(what + " has no voxels: one of its dimensions is 0");
    if (size[axis] > kMostVoxels / count) {
      throw InputError(what + " claims more voxels than any machine can hold");
    }
    count *= size[axis];
    if (!std::isfinite(spacing[axis]) || spacing[axis] <= 0) {
      throw InputError(what + " has a voxel spacing that is not a positive number");
    }
    if (!std::isfinite(origin[axis])) {
      throw InputError(what + " has a position that is not a finite number");
    }
  }
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      const double expected = a == b ? 1.0 : 0.0;
      // Written so that NaN fails as well.
      if (!(std::abs(dot_columns(direction, a, b) - expected) < 1e-3)) {
        throw InputError(what + " has axes that are not at right angles");
      }
    }
  }
}

bool same_grid(const Geometry& a, const Geometry& b) noexcept {
  if (a.size != b.size || a.unit != b.unit) return false;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 index{};
    for (int axis = 0; axis < 3; ++axis) {
      index[axis] = (corner >> axis & 1) != 0 ? static_cast<double>(a.size[axis] - 1) : 0.0;
    }
    const Vec3 seen = a.to_index(b.to_world(index));
    for (int axis = 0; axis < 3; ++axis) {
      if (!(std::abs(seen[axis] - index[axis]) <= kSameGridTolerance)) return false;
    }
  }
  return true;
}

Geometry in_millimetres(const Geometry& geometry) noexcept {
  if (geometry.unit != LengthUnit::Micrometre) return geometry;
  constexpr double kMicrometres = 1000.0;
  Geometry grid = geometry;
  grid.unit = LengthUnit::Millimetre;
  // The third axis of a planar grid is the unit along z.
  for (std::size_t axis = 0; axis < (grid.planar ? 2 : 3); ++axis) {
    grid.spacing[axis] /= kMicrometres;
    grid.origin[axis] /= kMicrometres;
  }
  return grid;
}

std::string describe(const Geometry& geometry) {
  std::array<char, 160> text{};
  const auto size = [&](int axis) { return static_cast<long long>(geometry.size[axis]); };
  if (geometry.unit == LengthUnit::Pixel) {
    std::snprintf(text.data(), text.size(), "%lld x %lld", size(0), size(1));
  } else if (const LengthScale scale = length_scale(geometry);
             geometry.planar && scale.symbol != "mm") {
    std::snprintf(text.data(), text.size(), "%lld x %lld, %.4g x %.4g %s", size(0), size(1),
                  scale.per_unit * geometry.spacing[0], scale.per_unit * geometry.spacing[1],
                  scale.symbol.c_str());
  } else if (geometry.planar) {
    std::snprintf(text.data(), text.size(), "%lld x %lld, %.3f x %.3f mm", size(0), size(1),
                  geometry.spacing[0], geometry.spacing[1]);
  } else {
    std::snprintf(text.data(), text.size(), "%lld x %lld x %lld, %.3f x %.3f x %.3f mm", size(0),
                  size(1), size(2), geometry.spacing[0], geometry.spacing[1], geometry.spacing[2]);
  }
  return text.data();
}

Box Box::grown(std::int64_t margin, const Geometry& geometry) const noexcept {
  Box box = *this;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = std::max<std::int64_t>(0, lo[axis] - margin);
    box.hi[axis] = std::min(geometry.size[axis], hi[axis] + margin);
  }
  return box;
}

void Box::include(const Index3& index) noexcept {
  const bool first = empty();
  for (int axis = 0; axis < 3; ++axis) {
    lo[axis] = first ? index[axis] : std::min(lo[axis], index[axis]);
    hi[axis] = first ? index[axis] + 1 : std::max(hi[axis], index[axis] + 1);
  }
}

}  // namespace seedwave
