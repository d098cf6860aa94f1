// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/surface_weights.h"

#include "core/image/vec3.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace seedwave {
namespace {

Vec3 unit(const Vec3& a) {
  return scaled(a, 1.0 / norm(a));
}

/// A convex polygon on the sphere, by rays through its corners, of any length.
using Rays = std::vector<Vec3>;

/// Returns the square in the plane that touches the sphere at `middle`. It holds every point nearer
/// to it than to the other directions: no point is farther from the nearest axis than 54.7 degrees,
/// whose tangent is 1.42.
Rays square_around(const Vec3& middle) {
  constexpr double kHalfSide = 1.5;
  const bool is_steep = std::abs(middle[2]) > 0.5;
  const Vec3 a = unit(cross(middle, is_steep ? Vec3{1, 0, 0} : Vec3{0, 0, 1}));
  const Vec3 b = cross(middle, a);
  Rays rays;
  for (const auto& [x, y] : {std::array<double, 2>{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
    rays.push_back(plus(plus(middle, scaled(a, x * kHalfSide)), scaled(b, y * kHalfSide)));
  return rays;
}

/// Returns the part of the polygon on one side of a plane through the centre (I. E. Sutherland,
/// G. W. Hodgman, Commun. ACM 17(1), 1974).
Rays clipped(const Rays& polygon, const Vec3& normal) {
  Rays inside;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3& from = polygon[i];
    const Vec3& to = polygon[(i + 1) % polygon.size()];
    const double before = dot(from, normal);
    const double behind = dot(to, normal);
    if (before >= 0.0) inside.push_back(from);
    if ((before >= 0.0) != (behind >= 0.0))
      inside.push_back(plus(from, scaled(minus(to, from), before / (before - behind))));
  }
  return inside;
}

/// Returns the solid angle of a triangle (A. Van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng.
/// 30(2), 1983).
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 2.0 * std::atan2(std::abs(dot(a, cross(b, c))), 1.0 + dot(a, b) + dot(b, c) + dot(c, a));
}

/// Returns the share of the sphere whose points are nearest to one of the directions or its
/// opposite. `directions`: unit vectors, one of each two opposite ones.
double share_of_sphere(std::size_t own, const std::array<Vec3, kLineDirections>& directions) {
  const Vec3& middle = directions[own];
  Rays cell = square_around(middle);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    if (i == own) continue;
    for (const double sign : {-1.0, 1.0})
      cell = clipped(cell, plus(middle, scaled(directions[i], sign)));
  }
  double angle = 0.0;
  for (std::size_t i = 0; i < cell.size(); ++i)
    angle += solid_angle(middle, unit(cell[i]), unit(cell[(i + 1) % cell.size()]));
  return 2.0 * angle / (4.0 * std::numbers::pi);
}

double rounded(double share) {
  constexpr int kBits = 40;
  return std::ldexp(std::round(std::ldexp(share, kBits)), -kBits);
}

}  // namespace

const std::array<Index3, kLineDirections>& line_directions() {
  static constexpr std::array<Index3, kLineDirections> kDirections{{{1, 0, 0},
                                                                    {0, 1, 0},
                                                                    {1, 1, 0},
                                                                    {-1, 1, 0},
                                                                    {0, 0, 1},
                                                                    {1, 0, 1},
                                                                    {-1, 0, 1},
                                                                    {0, 1, 1},
                                                                    {1, 1, 1},
                                                                    {-1, 1, 1},
                                                                    {0, -1, 1},
                                                                    {1, -1, 1},
                                                                    {-1, -1, 1}}};
  return kDirections;
}

SurfaceWeights surface_weights(const Vec3& spacing) {
  std::array<Vec3, kLineDirections> directions;
  std::array<double, kLineDirections> lengths{};
  for (std::size_t i = 0; i < kLineDirections; ++i) {
    Vec3 step;
    for (std::size_t axis = 0; axis < 3; ++axis)
      step[axis] = static_cast<double>(line_directions()[i][axis]) * spacing[axis];
    lengths[i] = norm(step);
    directions[i] = unit(step);
  }
  const double volume = spacing[0] * spacing[1] * spacing[2];
  SurfaceWeights weights{};
  for (std::size_t i = 0; i < kLineDirections; ++i)
    weights[i] = 4.0 * rounded(share_of_sphere(i, directions)) * volume / lengths[i];
  return weights;
}

}  // namespace seedwave
