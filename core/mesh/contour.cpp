// SPDX-License-Identifier: Apache-2.0
#include "core/mesh/contour.h"

#include "core/base/error.h"
#include "core/image/vec3.h"
#include "core/mesh/cube_cases.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace seedwave {
namespace {

/// Marching cubes, one layer of cubes after the other. The numbers of the points on edges are kept
/// for the two planes of a layer and for the edges between them.
class Marcher {
 public:
  Marcher(const Indicator& indicator, const Geometry& geometry)
      : indicator_(indicator),
        geometry_(geometry),
        level_(indicator.level),
        in_plane_(static_cast<std::size_t>(indicator.size[0] * indicator.size[1])) {
    for (auto* plane : {&below_, &above_}) {
      plane->along_x.resize(in_plane_);
      plane->along_y.resize(in_plane_);
    }
    between_.resize(in_plane_);
  }

  Surface march(const std::stop_token& stop) {
    find_plane(0, below_);
    for (std::int64_t z = 0; z + 1 < indicator_.size[2]; ++z) {
      if (stop.stop_requested()) throw Cancelled();
      find_plane(z + 1, above_);
      find_between(z);
      add_layer(z);
      std::swap(below_, above_);
    }
    return std::move(surface_);
  }

 private:
  struct Plane {
    std::vector<std::uint32_t> along_x;
    std::vector<std::uint32_t> along_y;
  };

  [[nodiscard]] const std::uint8_t* plane_at(std::int64_t z) const {
    return indicator_.cells.data() + static_cast<std::size_t>(z) * in_plane_;
  }
  [[nodiscard]] bool inside(std::uint8_t value) const { return value > level_; }

  /// Adds the point between a cell and its successor along an axis.
  std::uint32_t add_between(const Index3& cell, std::size_t axis, std::uint8_t from,
                            std::uint8_t to) {
    Vec3 at{static_cast<double>(cell[0]), static_cast<double>(cell[1]),
            static_cast<double>(cell[2])};
    at[axis] += (level_ - from) / (static_cast<double>(to) - from);
    return add_point(surface_, geometry_.to_world(indicator_.voxel_at(at)));
  }

  void find_plane(std::int64_t z, Plane& plane) {
    const std::uint8_t* cells = plane_at(z);
    const std::int64_t nx = indicator_.size[0];
    for (std::int64_t y = 0; y < indicator_.size[1]; ++y) {
      for (std::int64_t x = 0; x < nx; ++x) {
        const auto i = static_cast<std::size_t>(x + nx * y);
        const std::uint8_t here = cells[i];
        if (x + 1 < nx && inside(here) != inside(cells[i + 1]))
          plane.along_x[i] = add_between({x, y, z}, 0, here, cells[i + 1]);
        if (y + 1 < indicator_.size[1] &&
            inside(here) != inside(cells[i + static_cast<std::size_t>(nx)])) {
          plane.along_y[i] =
              add_between({x, y, z}, 1, here, cells[i + static_cast<std::size_t>(nx)]);
        }
      }
    }
  }

  void find_between(std::int64_t z) {
    const std::uint8_t* cells = plane_at(z);
    const std::uint8_t* next = plane_at(z + 1);
    for (std::size_t i = 0; i < in_plane_; ++i) {
      if (inside(cells[i]) == inside(next[i])) continue;
      const auto nx = static_cast<std::size_t>(indicator_.size[0]);
      between_[i] =
          add_between({static_cast<std::int64_t>(i % nx), static_cast<std::int64_t>(i / nx), z}, 2,
                      cells[i], next[i]);
    }
  }

  void add_layer(std::int64_t z) {
    const std::uint8_t* low = plane_at(z);
    const std::uint8_t* high = plane_at(z + 1);
    const auto nx = static_cast<std::size_t>(indicator_.size[0]);
    const auto column = [&](std::size_t i) -> unsigned {
      return (inside(low[i]) ? 1U : 0U) | (inside(low[i + nx]) ? 4U : 0U) |
             (inside(high[i]) ? 16U : 0U) | (inside(high[i + nx]) ? 64U : 0U);
    };
    for (std::int64_t y = 0; y + 1 < indicator_.size[1]; ++y) {
      const std::size_t first = nx * static_cast<std::size_t>(y);
      unsigned left = column(first);
      for (std::size_t i = first; i + 1 < first + nx; ++i) {
        const unsigned right = column(i + 1);
        const unsigned corners = left | right << 1;
        if (corners != 0 && corners != 255) add_cube(i, corners);
        left = right;
      }
    }
  }

  void add_cube(std::size_t i, unsigned corners) {
    const auto nx = static_cast<std::size_t>(indicator_.size[0]);
    // In the order of the edges' numbers (see cube_cases.h).
    points_ = {below_.along_x[i],      below_.along_x[i + nx], above_.along_x[i],
               above_.along_x[i + nx], below_.along_y[i],      above_.along_y[i],
               below_.along_y[i + 1],  above_.along_y[i + 1],  between_[i],
               between_[i + 1],        between_[i + nx],       between_[i + nx + 1]};
    const CubeCase& found = cases_[corners];
    for (const auto& polygon : found.centred)
      points_.push_back(add_centre(polygon));
    for (const auto& [a, b, c] : found.triangles)
      surface_.triangles.push_back({points_[a], points_[b], points_[c]});
  }

  std::uint32_t add_centre(const std::vector<std::uint8_t>& polygon) {
    Vec3 sum{0, 0, 0};
    for (const std::uint8_t edge : polygon) {
      const Surface::Point& point = surface_.points[points_[edge]];
      sum = plus(sum, {point[0], point[1], point[2]});
    }
    return add_point(surface_, scaled(sum, 1.0 / static_cast<double>(polygon.size())));
  }

  const Indicator& indicator_;
  const Geometry& geometry_;
  double level_;
  std::span<const CubeCase, 256> cases_ = cube_cases();
  std::size_t in_plane_;
  Plane below_;
  Plane above_;
  std::vector<std::uint32_t> between_;
  /// The points of the current cube.
  std::vector<std::uint32_t> points_;
  Surface surface_;
};

}  // namespace

Surface contour(const Indicator& indicator, const Geometry& geometry, const std::stop_token& stop) {
  Surface surface = Marcher(indicator, geometry).march(stop);
  orient(surface, geometry);
  return surface;
}

std::uint32_t add_point(Surface& surface, const Vec3& world) {
  // The readers of PLY use signed numbers.
  if (surface.points.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw UnavailableError("the surface of the label is too large: it has over 2 billion points");
  surface.points.push_back(
      {static_cast<float>(world[0]), static_cast<float>(world[1]), static_cast<float>(world[2])});
  return static_cast<std::uint32_t>(surface.points.size() - 1);
}

void orient(Surface& surface, const Geometry& geometry) {
  const Matrix3& d = geometry.direction;
  if (dot({d[0], d[3], d[6]}, cross({d[1], d[4], d[7]}, {d[2], d[5], d[8]})) > 0) return;
  for (Surface::Triangle& triangle : surface.triangles)
    std::swap(triangle[1], triangle[2]);
}

}  // namespace seedwave
