// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/mesh/indicator.h"
#include "core/mesh/surface.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace seedwave {

/// Returns the surface on which an indicator of labels on this grid passes its level, by marching
/// cubes. Throws Cancelled and UnavailableError.
[[nodiscard]] Surface contour(const Indicator& indicator, const Geometry& geometry,
                              const std::stop_token& stop);

/// Appends a point and returns its number. Throws UnavailableError if 32 bits cannot number it.
[[nodiscard]] std::uint32_t add_point(Surface& surface, const Vec3& world);

/// Turns all triangles over if the axes of the grid are left-handed: triangles that were made in
/// index space then have their outside inside.
void orient(Surface& surface, const Geometry& geometry);

}  // namespace seedwave
