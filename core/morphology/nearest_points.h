// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/parallel/context.h"

#include <span>
#include <vector>

namespace seedwave {

/// Returns the distance of each point to the nearest other one; NaN for an only point.
///
/// By a k-d tree (J. L. Bentley, Commun. ACM 18(9):509-517, 1975), which crowded or equal points do
/// not slow down. Throws Cancelled.
[[nodiscard]] std::vector<double> distances_to_nearest(std::span<const Vec3> points,
                                                       Context& context);

}  // namespace seedwave
