// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <string>
#include <vector>

namespace seedwave::io {

/// The placement of voxels as a file states it: world = origin + steps * index, LPS millimetres.
/// The columns of `steps` are the displacements along one index.
struct IndexToWorld {
  Matrix3 steps{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec3 origin{0, 0, 0};
};

/// Converts RAS to LPS or back: x and y change their sign.
[[nodiscard]] IndexToWorld swap_ras_lps(const IndexToWorld& axes) noexcept;

/// Returns whether all numbers are finite and the axes span a volume.
[[nodiscard]] bool is_usable(const IndexToWorld& axes) noexcept;

/// Returns the largest distance between corresponding corners of a grid in two placements, in mm.
[[nodiscard]] double largest_distance(const IndexToWorld& a, const IndexToWorld& b,
                                      const Index3& size) noexcept;

/// Returns the grid whose voxels are nearest to the stated placement. `axes` must be usable.
///
/// The lengths of the steps become the spacing, the rotation (or reflection) nearest to the axes
/// becomes the direction. Rounded axes are corrected silently. Axes that are not at right angles
/// cause a warning with the error in mm, and the grid's centre stays in place.
[[nodiscard]] Geometry fit_geometry(const IndexToWorld& axes, const Index3& size,
                                    std::vector<std::string>& warnings);

/// Returns the placement of a grid as a file states it: the inverse of fit_geometry.
[[nodiscard]] IndexToWorld index_to_world(const Geometry& geometry) noexcept;

}  // namespace seedwave::io
