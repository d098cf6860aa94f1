// SPDX-License-Identifier: Apache-2.0
#include "core/mesh/contour.h"

#include "core/base/error.h"
#include "core/image/vec3.h"
#include "core/mesh/cube_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// A point of the surface on the edge of the grid that begins at a cell.
struct Crossing {
  std::int64_t cell = 0;
  /// Place on the edge, 0 to 1.
  double along = 0;
  /// 0 to 2; kCentre for a point amid a polygon, which lies on no edge.
  std::uint8_t axis = 0;
};
constexpr std::uint8_t kCentre = 3;

/// A point amid the polygon of other points.
struct Centre {
  std::uint32_t point = 0;
  std::vector<std::uint32_t> polygon;
};

/// The result of marching: triangles between points that can still be moved along their edges.
struct Mesh {
  std::vector<Crossing> crossings;
  std::vector<Centre> centres;
  std::vector<Surface::Triangle> triangles;
};

bool is_inside(std::uint8_t value) {
  return value > kIndicatorLevel;
}

/// Marching cubes, one layer of cubes after the other. The numbers of the points on edges are kept
/// for the two planes of a layer and for the edges between them.
class Marcher {
 public:
  explicit Marcher(const Indicator& indicator)
      : indicator_(indicator),
        in_plane_(static_cast<std::size_t>(indicator.size[0] * indicator.size[1])) {
    for (auto* plane : {&below_, &above_}) {
      plane->along_x.resize(in_plane_);
      plane->along_y.resize(in_plane_);
    }
    between_.resize(in_plane_);
  }

  Mesh march(const std::stop_token& stop) {
    find_plane(0, below_);
    for (std::int64_t z = 0; z + 1 < indicator_.size[2]; ++z) {
      if (stop.stop_requested()) throw Cancelled();
      find_plane(z + 1, above_);
      find_between(z);
      add_layer(z);
      std::swap(below_, above_);
    }
    return std::move(mesh_);
  }

 private:
  struct Plane {
    std::vector<std::uint32_t> along_x;
    std::vector<std::uint32_t> along_y;
  };

  [[nodiscard]] const std::uint8_t* plane_at(std::int64_t z) const {
    return indicator_.cells.data() + static_cast<std::size_t>(z) * in_plane_;
  }

  std::uint32_t add(std::int64_t cell, std::uint8_t axis, std::uint8_t from, std::uint8_t to) {
    const std::uint32_t number = next_point(mesh_.crossings.size());
    const double along = (kIndicatorLevel - from) / (static_cast<double>(to) - from);
    mesh_.crossings.push_back({cell, along, axis});
    return number;
  }

  void find_plane(std::int64_t z, Plane& plane) {
    const std::uint8_t* cells = plane_at(z);
    const auto first = static_cast<std::int64_t>(in_plane_) * z;
    const auto nx = static_cast<std::size_t>(indicator_.size[0]);
    for (std::size_t row = 0; row < in_plane_; row += nx) {
      for (std::size_t i = row; i < row + nx; ++i) {
        const std::uint8_t here = cells[i];
        const auto cell = first + static_cast<std::int64_t>(i);
        if (i + 1 < row + nx && is_inside(here) != is_inside(cells[i + 1]))
          plane.along_x[i] = add(cell, 0, here, cells[i + 1]);
        if (i + nx < in_plane_ && is_inside(here) != is_inside(cells[i + nx]))
          plane.along_y[i] = add(cell, 1, here, cells[i + nx]);
      }
    }
  }

  void find_between(std::int64_t z) {
    const std::uint8_t* cells = plane_at(z);
    const std::uint8_t* next = plane_at(z + 1);
    const auto first = static_cast<std::int64_t>(in_plane_) * z;
    for (std::size_t i = 0; i < in_plane_; ++i) {
      if (is_inside(cells[i]) != is_inside(next[i]))
        between_[i] = add(first + static_cast<std::int64_t>(i), 2, cells[i], next[i]);
    }
  }

  void add_layer(std::int64_t z) {
    const std::uint8_t* low = plane_at(z);
    const std::uint8_t* high = plane_at(z + 1);
    const auto nx = static_cast<std::size_t>(indicator_.size[0]);
    const auto column = [&](std::size_t i) -> unsigned {
      return (is_inside(low[i]) ? 1U : 0U) | (is_inside(low[i + nx]) ? 4U : 0U) |
             (is_inside(high[i]) ? 16U : 0U) | (is_inside(high[i + nx]) ? 64U : 0U);
    };
    for (std::size_t row = 0; row + nx < in_plane_; row += nx) {
      unsigned left = column(row);
      for (std::size_t i = row; i + 1 < row + nx; ++i) {
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
      mesh_.triangles.push_back({points_[a], points_[b], points_[c]});
  }

  std::uint32_t add_centre(const std::vector<std::uint8_t>& polygon) {
    Centre centre{next_point(mesh_.crossings.size()), {}};
    for (const std::uint8_t edge : polygon)
      centre.polygon.push_back(points_[edge]);
    mesh_.crossings.push_back({.axis = kCentre});
    mesh_.centres.push_back(std::move(centre));
    return mesh_.centres.back().point;
  }

  const Indicator& indicator_;
  std::span<const CubeCase, 256> cases_ = cube_cases();
  std::size_t in_plane_;
  Plane below_;
  Plane above_;
  std::vector<std::uint32_t> between_;
  /// The points of the current cube.
  std::vector<std::uint32_t> points_;
  Mesh mesh_;
};

/// Places the points of a mesh in space. Lengths are in the unit of the grid, along its axes.
class Placer {
 public:
  Placer(const Indicator& indicator, const Geometry& geometry, Mesh& mesh)
      : indicator_(indicator), geometry_(geometry), mesh_(mesh) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      cell_size_[axis] = geometry.spacing[axis] * static_cast<double>(indicator.factor);
    find_normals();
  }

  /// Moves all points by the same distance along their normals, so that the mesh encloses as much
  /// as the cells inside.
  void keep_volume() {
    const double wanted = indicator_.inside * cell_size_[0] * cell_size_[1] * cell_size_[2];
    constexpr int kRounds = 2;  // a third changes less than a thousandth
    for (int round = 0; round < kRounds; ++round) {
      const auto [volume, area] = measure();
      if (!(area > 0)) return;
      const double most = kMostMove * *std::min_element(cell_size_.begin(), cell_size_.end());
      move_outwards(std::clamp((wanted - volume) / area, -most, most));
    }
  }

  [[nodiscard]] Surface surface() const {
    Surface surface;
    surface.points.reserve(mesh_.crossings.size());
    for (std::size_t i = 0; i < mesh_.crossings.size(); ++i)
      surface.points.push_back(rounded(geometry_.to_world(indicator_.voxel_at(cell_at(i)))));
    for (const Centre& centre : mesh_.centres)
      surface.points[centre.point] =
          rounded(geometry_.to_world(indicator_.voxel_at(middle(centre))));
    surface.normals.reserve(normals_.size());
    const Matrix3& d = geometry_.direction;
    for (const Vec3& n : normals_) {
      surface.normals.push_back(rounded(
          {dot({d[0], d[1], d[2]}, n), dot({d[3], d[4], d[5]}, n), dot({d[6], d[7], d[8]}, n)}));
    }
    surface.triangles = std::move(mesh_.triangles);
    return surface;
  }

 private:
  /// Largest share of a cell by which points are moved at once.
  static constexpr double kMostMove = 0.25;
  /// Points keep this distance from the ends of their edges, as a share of the edge.
  static constexpr double kLeastEnd = 0.02;
  /// A normal across the edge would move a point along it without limit.
  static constexpr double kLeastCosine = 0.3;

  static Surface::Point rounded(const Vec3& at) {
    return {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
  }

  [[nodiscard]] Index3 index_of(std::int64_t cell) const {
    const Index3& size = indicator_.size;
    return {cell % size[0], cell / size[0] % size[1], cell / (size[0] * size[1])};
  }

  /// Returns the place of a point that lies on an edge, in cells.
  [[nodiscard]] Vec3 cell_at(std::size_t point) const {
    const Crossing& crossing = mesh_.crossings[point];
    const Index3 index = index_of(crossing.cell);
    Vec3 at{static_cast<double>(index[0]), static_cast<double>(index[1]),
            static_cast<double>(index[2])};
    if (crossing.axis != kCentre) at[crossing.axis] += crossing.along;
    return at;
  }

  [[nodiscard]] Vec3 middle(const Centre& centre) const {
    Vec3 sum{0, 0, 0};
    for (const std::uint32_t point : centre.polygon)
      sum = plus(sum, cell_at(point));
    return scaled(sum, 1.0 / static_cast<double>(centre.polygon.size()));
  }

  /// Returns the slope of the indicator at a cell, by central differences.
  [[nodiscard]] Vec3 slope_at(std::int64_t cell) const {
    const std::int64_t steps[] = {1, indicator_.size[0], indicator_.size[0] * indicator_.size[1]};
    const Index3 index = index_of(cell);
    Vec3 slope{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t up = index[axis] + 1 < indicator_.size[axis] ? steps[axis] : 0;
      const std::int64_t down = index[axis] > 0 ? steps[axis] : 0;
      const int rise = indicator_.cells[static_cast<std::size_t>(cell + up)] -
                       indicator_.cells[static_cast<std::size_t>(cell - down)];
      slope[axis] = rise / cell_size_[axis];
    }
    return slope;
  }

  void find_normals() {
    const std::int64_t steps[] = {1, indicator_.size[0], indicator_.size[0] * indicator_.size[1]};
    normals_.reserve(mesh_.crossings.size());
    for (const Crossing& crossing : mesh_.crossings) {
      Vec3 slope{0, 0, 0};
      if (crossing.axis != kCentre) {
        slope = plus(scaled(slope_at(crossing.cell), 1 - crossing.along),
                     scaled(slope_at(crossing.cell + steps[crossing.axis]), crossing.along));
      }
      normals_.push_back(unit(scaled(slope, -1)));
    }
    for (const Centre& centre : mesh_.centres) {
      Vec3 sum{0, 0, 0};
      for (const std::uint32_t point : centre.polygon)
        sum = plus(sum, normals_[point]);
      normals_[centre.point] = unit(sum);
    }
  }

  static Vec3 unit(const Vec3& vector) {
    const double length = norm(vector);
    return length > 0 ? scaled(vector, 1 / length) : vector;
  }

  struct Size {
    double volume = 0;
    double area = 0;
  };

  [[nodiscard]] Size measure() const {
    std::vector<Vec3> places(mesh_.crossings.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = cell_at(i);
    for (const Centre& centre : mesh_.centres)
      places[centre.point] = middle(centre);
    for (Vec3& place : places) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        place[axis] *= cell_size_[axis];
    }
    Size size;
    for (const auto& [a, b, c] : mesh_.triangles) {
      const Vec3 across = cross(minus(places[b], places[a]), minus(places[c], places[a]));
      size.volume += dot(places[a], across) / 6;
      size.area += norm(across) / 2;
    }
    return size;
  }

  void move_outwards(double distance) {
    for (std::size_t i = 0; i < mesh_.crossings.size(); ++i) {
      Crossing& crossing = mesh_.crossings[i];
      if (crossing.axis == kCentre) continue;
      const double cosine = std::max(std::abs(normals_[i][crossing.axis]), kLeastCosine);
      const double share = distance / (cosine * cell_size_[crossing.axis]);
      const bool from_inside = is_inside(indicator_.cells[static_cast<std::size_t>(crossing.cell)]);
      crossing.along =
          std::clamp(crossing.along + (from_inside ? share : -share), kLeastEnd, 1 - kLeastEnd);
    }
  }

  const Indicator& indicator_;
  const Geometry& geometry_;
  Mesh& mesh_;
  Vec3 cell_size_{};
  std::vector<Vec3> normals_;
};

}  // namespace

Surface contour(const Indicator& indicator, const Geometry& geometry, const std::stop_token& stop) {
  Mesh mesh = Marcher(indicator).march(stop);
  Placer placer(indicator, geometry, mesh);
  placer.keep_volume();
  Surface surface = placer.surface();
  orient(surface, geometry);
  return surface;
}

std::uint32_t next_point(std::size_t count) {
  if (count >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw UnavailableError("the surface of the label is too large: it has over 2 billion points");
  return static_cast<std::uint32_t>(count);
}

void orient(Surface& surface, const Geometry& geometry) {
  const Matrix3& d = geometry.direction;
  if (dot({d[0], d[3], d[6]}, cross({d[1], d[4], d[7]}, {d[2], d[5], d[8]})) > 0) return;
  for (Surface::Triangle& triangle : surface.triangles)
    std::swap(triangle[1], triangle[2]);
}

}  // namespace seedwave
