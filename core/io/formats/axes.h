// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <string>
#include <vector>

namespace seedwave::io {

/// Where a file says that its voxels lie: world = origin + steps * index, LPS millimetres.
/// The columns of `steps` are the movement along one index.
struct IndexToWorld {
  Matrix3 steps{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec3 origin{0, 0, 0};
};

/// From RAS to LPS, or back: x and y change their sign.
[[nodiscard]] IndexToWorld swap_ras_lps(const IndexToWorld& axes) noexcept;

/// True when all numbers are finite and the axes span a volume.
[[nodiscard]] bool is_usable(const IndexToWorld& axes) noexcept;

/// How far the corners of a grid lie apart in two placements, at most, in mm.
[[nodiscard]] double largest_distance(const IndexToWorld& a, const IndexToWorld& b,
                                      const Index3& size) noexcept;

/// The grid whose voxels lie nearest to what the file says. `axes` must be usable.
///
/// The lengths of the steps become the spacing, the nearest rotation (or reflection) to the axes
/// the direction. Axes that are rounded are mended silently; axes that are not at right angles give
/// a warning with the error in mm, and the grid's centre stays where it was.
[[nodiscard]] Geometry fit_geometry(const IndexToWorld& axes, const Index3& size,
                                    std::vector<std::string>& warnings);

/// What a grid says as a file would: the inverse of fit_geometry.
[[nodiscard]] IndexToWorld index_to_world(const Geometry& geometry) noexcept;

}  // namespace seedwave::io
