// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <cstdint>
#include <vector>

namespace seedwave::reference {

/// Offsets of voxels, line by line, each line in order.
using Lines = std::vector<std::vector<std::int64_t>>;

/// Returns the lines of a 2-D image at an angle in degrees, counter-clockwise on the screen. Pixels
/// belong to a line if their column (row for a steep line) minus the line's shift is the same.
Lines lines_at_angle(double degrees, const Index3& size);
/// Returns the lines of a volume along (x, y, z) in voxels.
Lines lines_along(const Vec3& direction, const Index3& size);

/// Returns openings (closings) by their definition, for small inputs: every window of `length`
/// cells of a line that is continued by `front` and `behind` cells.
std::vector<double> linear_opening(const Volume& image, const Lines& lines, std::int64_t length,
                                   std::int64_t front, std::int64_t behind, bool closing);

}  // namespace seedwave::reference
