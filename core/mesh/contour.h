// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/mesh/indicator.h"
#include "core/mesh/surface.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>

namespace seedwave {

/// Returns the surface on which an indicator of labels on this grid passes kIndicatorLevel, by
/// marching cubes, moved outwards to enclose the volume of the cells inside. Throws Cancelled and
/// UnavailableError.
[[nodiscard]] Surface contour(const Indicator& indicator, const Geometry& geometry,
                              const std::stop_token& stop);

/// Returns the number of the next of `count` points. Throws UnavailableError if 31 bits, which the
/// readers of files use, cannot hold it.
[[nodiscard]] std::uint32_t next_point(std::size_t count);

/// Turns all triangles over if the axes of the grid are left-handed: triangles that were made in
/// index space then have their outside inside.
void orient(Surface& surface, const Geometry& geometry);

}  // namespace seedwave
