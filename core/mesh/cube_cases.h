// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {

// Corner x + 2y + 4z of a cube lies at (x, y, z). Edge 4a + u + 2v runs along axis a and lies at u
// and v on the axes a + 1 and a + 2 (modulo 3).

/// The triangles in a cube, by the set of its corners that are inside.
struct CubeCase {
  /// Corners of triangles: below 12 the point on that edge, from 12 on a point amid a polygon.
  std::vector<std::array<std::uint8_t, 3>> triangles;
  /// The edges of the polygons that need such a point, in the order of their numbers.
  std::vector<std::vector<std::uint8_t>> centred;
};

/// Returns the cases of marching cubes, indexed by the bits of the corners inside.
///
/// They are derived, not listed: on each face the corners inside are joined, which depends on the
/// face alone, so neighbouring cubes agree. The lines on the faces form polygons. No diagonal of a
/// polygon lies on a face, where the neighbour could draw it too; a polygon that allows none gets a
/// point amid it. Every edge of the surface thus has exactly two triangles.
[[nodiscard]] std::span<const CubeCase, 256> cube_cases();

}  // namespace seedwave
