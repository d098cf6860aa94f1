// SPDX-License-Identifier: Apache-2.0
#include "core/mesh/cube_cases.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace seedwave {
namespace {

using Polygon = std::vector<std::uint8_t>;

constexpr int kEdges = 12;

constexpr int next_axis(int axis) {
  return (axis + 1) % 3;
}

int corner_at(int axis, int along, int u, int v) {
  return along << axis | u << next_axis(axis) | v << next_axis(next_axis(axis));
}

/// Returns the edge between two corners that differ in one coordinate.
int edge_between(int a, int b) {
  const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
  const int u = a >> next_axis(axis) & 1;
  const int v = a >> next_axis(next_axis(axis)) & 1;
  return 4 * axis + u + 2 * v;
}

/// Returns whether one face of the cube holds both edges.
bool share_face(int a, int b) {
  for (const int side : {0, 1}) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto lies_on = [&](int edge) {
        const int along = edge / 4;
        if (along == axis) return false;
        return (next_axis(along) == axis ? edge & 1 : edge >> 1 & 1) == side;
      };
      if (lies_on(a) && lies_on(b)) return true;
    }
  }
  return false;
}

/// Finds the lines on all faces: next[edge] is the edge where the line from this edge ends. The
/// inside is at the left, seen from outside the cube against the surface's outside.
std::array<int, kEdges> lines_of(unsigned inside) {
  std::array<int, kEdges> next{};
  next.fill(-1);
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, 1}) {
      // Counter-clockwise, seen from outside the cube.
      std::array<int, 4> corners{corner_at(axis, side, 0, 0), corner_at(axis, side, 1, 0),
                                 corner_at(axis, side, 1, 1), corner_at(axis, side, 0, 1)};
      if (side == 0) std::reverse(corners.begin(), corners.end());
      const auto is_inside = [&](int i) { return (inside >> corners[i % 4] & 1U) != 0; };
      for (int i = 0; i < 4; ++i) {
        if (!is_inside(i) || is_inside(i + 1)) continue;
        // Corners i + 1 to j are outside: this line cuts them off, and joins those inside.
        int j = i + 1;
        while (!is_inside(j + 1))
          ++j;
        next[edge_between(corners[j % 4], corners[(j + 1) % 4])] =
            edge_between(corners[i % 4], corners[(i + 1) % 4]);
      }
    }
  }
  return next;
}

std::vector<Polygon> polygons_of(unsigned inside) {
  std::array<int, kEdges> next = lines_of(inside);
  std::vector<Polygon> polygons;
  for (int first = 0; first < kEdges; ++first) {
    Polygon polygon;
    for (int edge = first; next[edge] >= 0;) {
      polygon.push_back(static_cast<std::uint8_t>(edge));
      edge = std::exchange(next[edge], -1);
    }
    if (!polygon.empty()) polygons.push_back(std::move(polygon));
  }
  return polygons;
}

/// Returns the corner of a polygon from which no diagonal lies on a face of the cube.
std::optional<std::size_t> fan_corner(const Polygon& polygon) {
  const std::size_t count = polygon.size();
  for (std::size_t from = 0; from < count; ++from) {
    bool fits = true;
    for (std::size_t i = 2; i + 1 < count; ++i)
      fits = fits && !share_face(polygon[from], polygon[(from + i) % count]);
    if (fits) return from;
  }
  return std::nullopt;
}

CubeCase make_case(unsigned inside) {
  CubeCase result;
  for (Polygon& polygon : polygons_of(inside)) {
    const std::size_t count = polygon.size();
    if (const auto from = fan_corner(polygon)) {
      for (std::size_t i = 1; i + 1 < count; ++i) {
        result.triangles.push_back(
            {polygon[*from], polygon[(*from + i) % count], polygon[(*from + i + 1) % count]});
      }
      continue;
    }
    const auto centre = static_cast<std::uint8_t>(kEdges + result.centred.size());
    for (std::size_t i = 0; i < count; ++i)
      result.triangles.push_back({centre, polygon[i], polygon[(i + 1) % count]});
    result.centred.push_back(std::move(polygon));
  }
  return result;
}

}  // namespace

std::span<const CubeCase, 256> cube_cases() {
  static const std::array<CubeCase, 256> kCases = [] {
    std::array<CubeCase, 256> cases;
    for (unsigned inside = 0; inside < cases.size(); ++inside)
      cases[inside] = make_case(inside);
    return cases;
  }();
  return kCases;
}

}  // namespace seedwave
