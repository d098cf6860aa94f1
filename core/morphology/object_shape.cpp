// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/object_shape.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>

namespace seedwave {
namespace {

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
using Moments = std::array<double, 6>;

/// Returns the covariance of the places of an object's points.
Moments covariance(const ConnectedPart& object, const ShapeSums& sums, const Vec3& spacing) {
  constexpr std::array<std::array<std::size_t, 2>, 6> kAxes{
      {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
  const auto count = static_cast<double>(object.voxels);
  Vec3 mean;
  for (std::size_t axis = 0; axis < 3; ++axis)
    mean[axis] =
        static_cast<double>(object.sums[axis] - object.voxels * object.box.lo[axis]) / count;
  Moments moments;
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    const auto [a, b] = kAxes[i];
    const double own = a == b ? 1.0 / 12.0 : 0.0;  // of a voxel about its centre
    moments[i] = (sums.products[i] / count - mean[a] * mean[b] + own) * spacing[a] * spacing[b];
  }
  return moments;
}

/// Returns the eigenvalues, largest first, by rotations of Jacobi: square roots alone, which are
/// the same on every machine.
std::array<double, 3> eigenvalues(const Moments& moments) {
  const auto& [xx, yy, zz, xy, xz, yz] = moments;
  std::array<std::array<double, 3>, 3> m{{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
  constexpr int kSweeps = 12;  // it converges quadratically: 5 are enough
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const auto& [p, q] : {std::array<std::size_t, 2>{0, 1}, {0, 2}, {1, 2}}) {
      if (m[p][q] == 0.0) continue;
      const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
      const double t =
          (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
      const double c = 1.0 / std::sqrt(t * t + 1.0);
      const double s = t * c;
      const std::size_t r = 3 - p - q;
      const double change = t * m[p][q];
      m[p][p] -= change;
      m[q][q] += change;
      m[p][q] = m[q][p] = 0.0;
      const double first = m[r][p];
      const double second = m[r][q];
      m[r][p] = m[p][r] = c * first - s * second;
      m[r][q] = m[q][r] = s * first + c * second;
    }
  }
  std::array<double, 3> values{m[0][0], m[1][1], m[2][2]};
  std::ranges::sort(values, std::ranges::greater());
  return values;
}

double eccentricity(double longest, double shortest) {
  const double ratio = shortest / longest;
  return std::sqrt(std::max(0.0, 1.0 - ratio * ratio));
}

double orientation(double xx, double yy, double xy) {
  if (xy == 0.0 && xx == yy) return 0.0;
  const double angle = std::atan2(-2.0 * xy, xx - yy) * 90.0 / std::numbers::pi;
  const double positive = angle < 0.0 ? angle + 180.0 : angle;
  return positive < 180.0 ? positive + 0.0 : 0.0;  // no -0
}

double perimeter(std::int64_t pixels, const std::array<std::int64_t, kLineDirections>& pairs,
                 double width, double height) {
  const double diagonal = std::sqrt(width * width + height * height);
  const double angle = width == height ? std::numbers::pi / 4.0 : std::atan2(height, width);
  // Half the angles between the neighbouring directions, as shares of a half turn.
  const std::array<double, 4> shares{angle / std::numbers::pi, 0.5 - angle / std::numbers::pi, 0.25,
                                     0.25};
  // Distances of the parallel lines through all pixels.
  const std::array<double, 4> distances{height, width, width * height / diagonal,
                                        width * height / diagonal};
  double sum = 0.0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    sum += shares[i] * distances[i] * static_cast<double>(pixels - pairs[i]);
  return std::numbers::pi * sum;
}

void set_plane_shape(const ConnectedPart& object, const ShapeSums& sums, const Moments& moments,
                     const Geometry& geometry, ObjectShape& shape) {
  const double width = geometry.spacing[0];
  const double height = geometry.spacing[1];
  shape.perimeter = perimeter(object.voxels, sums.pairs, width, height);
  const double area = static_cast<double>(object.voxels) * width * height;
  shape.circularity =
      std::min(1.0, 4.0 * std::numbers::pi * area / (shape.perimeter * shape.perimeter));
  const double middle = (moments[0] + moments[1]) / 2.0;
  const double half = (moments[0] - moments[1]) / 2.0;
  const double radius = std::sqrt(half * half + moments[3] * moments[3]);
  shape.axes[0] = 4.0 * std::sqrt(middle + radius);
  shape.axes[2] = 4.0 * std::sqrt(std::max(0.0, middle - radius));
  shape.orientation = orientation(moments[0], moments[1], moments[3]);
}

double surface_area(std::int64_t voxels, const std::array<std::int64_t, kLineDirections>& pairs,
                    const SurfaceWeights& weights) {
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * static_cast<double>(voxels - pairs[i]);
  return sum;
}

double surface_of_ball(double volume) {
  return std::cbrt(36.0 * std::numbers::pi * volume * volume);
}

void set_solid_shape(const ConnectedPart& object, const ShapeSums& sums, const Moments& moments,
                     const Vec3& spacing, const SurfaceWeights& weights, ObjectShape& shape) {
  shape.surface_area = surface_area(object.voxels, sums.pairs, weights);
  const double volume = static_cast<double>(object.voxels) * spacing[0] * spacing[1] * spacing[2];
  shape.sphericity = std::min(1.0, surface_of_ball(volume) / shape.surface_area);
  const std::array<double, 3> values = eigenvalues(moments);
  for (std::size_t i = 0; i < values.size(); ++i)
    shape.axes[i] = 2.0 * std::sqrt(5.0 * std::max(0.0, values[i]));
}

}  // namespace

void ShapeSums::add_run(std::int64_t begin, std::int64_t end, std::int64_t y,
                        std::int64_t z) noexcept {
  const std::int64_t count = end - begin;
  const std::int64_t last = end - 1;
  const std::int64_t sum = count * (begin + last) / 2;
  // Squares below `end` less those below `begin`.
  const auto squares = [](std::int64_t n) { return (n - 1) * n * (2 * n - 1) / 6; };
  const std::array<std::int64_t, 6> more{
      squares(end) - squares(begin), count * y * y, count * z * z, sum * y, sum * z, count * y * z};
  for (std::size_t i = 0; i < more.size(); ++i)
    products[i] += static_cast<double>(more[i]);
  pairs[0] += count - 1;
}

void ShapeSums::add(const ShapeSums& other) noexcept {
  for (std::size_t i = 0; i < products.size(); ++i)
    products[i] += other.products[i];
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] += other.pairs[i];
}

void set_shape(const ConnectedPart& object, const ShapeSums& sums, const Geometry& geometry,
               const SurfaceWeights& weights, ObjectShape& shape) {
  const Moments moments = covariance(object, sums, geometry.spacing);
  if (geometry.is_2d()) {
    set_plane_shape(object, sums, moments, geometry, shape);
  } else {
    set_solid_shape(object, sums, moments, geometry.spacing, weights, shape);
  }
  shape.eccentricity = eccentricity(shape.axes[0], shape.axes[2]);
}

ObjectShape::Hull hull_shape(std::span<const Corner> hull, const ConnectedPart& object,
                             const Geometry& geometry) {
  const HullDiameters diameters = hull_diameters(hull, geometry.spacing[0], geometry.spacing[1]);
  return {.solidity =
              2.0 * static_cast<double>(object.voxels) / static_cast<double>(doubled_area(hull)),
          .largest_diameter = diameters.maximum,
          .smallest_diameter = diameters.minimum};
}

}  // namespace seedwave
