// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/vec3.h"
#include "core/mesh/surface.h"

#include <cstdint>
#include <map>
#include <utility>

namespace seedwave {

/// Figures of a surface, found without the code that made it.
struct MeasuredSurface {
  /// By the divergence theorem; negative if the triangles face inwards.
  double volume = 0;
  /// Edges that are passed more often in one direction than in the other.
  int open_edges = 0;
  /// Edges without exactly two triangles.
  int shared_edges = 0;
  /// Triangles that name a point twice.
  int degenerate = 0;
};

inline MeasuredSurface measure(const Surface& surface) {
  struct Passed {
    int forwards = 0;
    int backwards = 0;
  };
  MeasuredSurface result;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Passed> edges;
  for (const Surface::Triangle& triangle : surface.triangles) {
    Vec3 p[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = triangle[i];
      const std::uint32_t b = triangle[(i + 1) % 3];
      const Surface::Point& at = surface.points.at(a);
      p[i] = {at[0], at[1], at[2]};
      result.degenerate += a == b;
      if (a < b) ++edges[{a, b}].forwards;
      if (a > b) ++edges[{b, a}].backwards;
    }
    result.volume += dot(p[0], cross(p[1], p[2])) / 6;
  }
  for (const auto& [edge, passed] : edges) {
    result.open_edges += passed.forwards != passed.backwards;
    result.shared_edges += passed.forwards + passed.backwards != 2;
  }
  return result;
}

}  // namespace seedwave
