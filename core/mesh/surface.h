// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace seedwave {

/// A closed surface of triangles in world coordinates: LPS, in millimetres.
struct Surface {
  using Point = std::array<float, 3>;
  /// Indices of three points, counter-clockwise seen from outside.
  using Triangle = std::array<std::uint32_t, 3>;

  std::vector<Point> points;
  /// Unit normals of the points, outwards. Empty for voxel_faces, where they are not defined.
  std::vector<Point> normals;
  std::vector<Triangle> triangles;
};

}  // namespace seedwave
