// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// A row of a ball along x: the voxels (-half_width .. half_width, dy, dz).
struct BallRow {
  std::int64_t dy = 0;
  std::int64_t dz = 0;
  std::int64_t half_width = 0;
};

/// Returns the voxels whose centres lie within `radius` of the central voxel's, as rows with dy
/// fastest: (dx sx)^2 + (dy sy)^2 + (dz sz)^2 <= r^2, with the spacing s. A tolerance of 1e-9 r^2
/// covers spacings that are not exact in binary. Offsets above `most` along an axis are omitted.
[[nodiscard]] std::vector<BallRow> ball_rows(double radius, const Vec3& spacing,
                                             const Index3& most);

}  // namespace seedwave
