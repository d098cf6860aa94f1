// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace seedwave::io {
namespace {

/// Above this share of a voxel at a corner, the deviation of axes is more than rounding.
constexpr double kRounding = 1e-2;

double determinant(const Matrix3& m) noexcept {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/// Returns the transposed inverse.
Matrix3 inverse_transposed(const Matrix3& m) noexcept {
  const double d = determinant(m);
  return {(m[4] * m[8] - m[5] * m[7]) / d, (m[5] * m[6] - m[3] * m[8]) / d,
          (m[3] * m[7] - m[4] * m[6]) / d, (m[2] * m[7] - m[1] * m[8]) / d,
          (m[0] * m[8] - m[2] * m[6]) / d, (m[1] * m[6] - m[0] * m[7]) / d,
          (m[1] * m[5] - m[2] * m[4]) / d, (m[2] * m[3] - m[0] * m[5]) / d,
          (m[0] * m[4] - m[1] * m[3]) / d};
}

/// Returns the nearest orthogonal matrix in the Frobenius norm: the polar factor, by Newton's
/// iteration (N. Higham, SIAM J. Sci. Stat. Comput. 7(4):1160-1174, 1986, section 3). Converges
/// quadratically for any invertible matrix; leaves a signed permutation as it is.
Matrix3 nearest_orthogonal(Matrix3 m) noexcept {
  constexpr int kMostRounds = 100;
  for (int round = 0; round < kMostRounds; ++round) {
    const Matrix3 other = inverse_transposed(m);
    double change = 0.0;
    for (std::size_t i = 0; i < m.size(); ++i) {
      const double next = 0.5 * (m[i] + other[i]);
      change = std::max(change, std::abs(next - m[i]));
      m[i] = next;
    }
    if (change < 1e-15) break;
  }
  return m;
}

Vec3 place(const IndexToWorld& axes, const Vec3& index) noexcept {
  Vec3 world = axes.origin;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      world[row] += axes.steps[3 * row + column] * index[column];
  }
  return world;
}

double step_length(const Matrix3& steps, int axis) noexcept {
  return std::hypot(steps[axis], steps[3 + axis], steps[6 + axis]);
}

}  // namespace

IndexToWorld swap_ras_lps(const IndexToWorld& axes) noexcept {
  IndexToWorld swapped = axes;
  // 0.0 - x instead of -x: a position of 0 stays +0 in texts.
  for (int i = 0; i < 6; ++i)
    swapped.steps[i] = 0.0 - axes.steps[i];
  swapped.origin[0] = 0.0 - axes.origin[0];
  swapped.origin[1] = 0.0 - axes.origin[1];
  return swapped;
}

bool is_usable(const IndexToWorld& axes) noexcept {
  double product = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double length = step_length(axes.steps, axis);
    // Written so that NaN fails as well. No scanner has voxels outside these lengths in mm.
    if (!(length > 1e-9 && length < 1e9)) return false;
    if (!(std::abs(axes.origin[axis]) < 1e12)) return false;
    product *= length;
  }
  return std::abs(determinant(axes.steps)) > 1e-6 * product;
}

double largest_distance(const IndexToWorld& a, const IndexToWorld& b, const Index3& size) noexcept {
  double largest = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 index{};
    for (int axis = 0; axis < 3; ++axis)
      index[axis] = (corner >> axis & 1) != 0 ? static_cast<double>(size[axis] - 1) : 0.0;
    const Vec3 p = place(a, index);
    const Vec3 q = place(b, index);
    largest = std::max(largest, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
  }
  return largest;
}

Geometry fit_geometry(const IndexToWorld& axes, const Index3& size,
                      std::vector<std::string>& warnings) {
  Geometry geometry;
  geometry.size = size;
  geometry.origin = axes.origin;
  Matrix3 units = axes.steps;
  for (int axis = 0; axis < 3; ++axis) {
    const double length = step_length(axes.steps, axis);
    geometry.spacing[axis] = length;
    for (int row = 0; row < 3; ++row)
      units[3 * row + axis] /= length;
  }
  geometry.direction = nearest_orthogonal(units);

  const double smallest = *std::min_element(geometry.spacing.begin(), geometry.spacing.end());
  if (largest_distance(axes, index_to_world(geometry), size) <= kRounding * smallest) {
    return geometry;
  }
  const Vec3 centre{0.5 * static_cast<double>(size[0] - 1), 0.5 * static_cast<double>(size[1] - 1),
                    0.5 * static_cast<double>(size[2] - 1)};
  const Vec3 stated = place(axes, centre);
  const Vec3 fitted = geometry.to_world(centre);
  for (int axis = 0; axis < 3; ++axis)
    geometry.origin[axis] += stated[axis] - fitted[axis];
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "the axes are not at right angles: shown on the nearest grid with right angles, "
                "which is up to %.2f mm off",
                largest_distance(axes, index_to_world(geometry), size));
  warnings.emplace_back(text.data());
  return geometry;
}

IndexToWorld index_to_world(const Geometry& geometry) noexcept {
  IndexToWorld axes;
  axes.origin = geometry.origin;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      axes.steps[3 * row + column] =
          geometry.direction[3 * row + column] * geometry.spacing[column];
  }
  return axes;
}

}  // namespace seedwave::io
