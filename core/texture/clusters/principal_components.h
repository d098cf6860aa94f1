// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// The directions along which points vary most: mapped(points, mean, axes) keeps as much of their
/// variance as so many coordinates can.
struct PrincipalComponents {
  std::vector<double> mean;
  /// Orthogonal rows of length 1, by falling variance; the first of their entries of largest
  /// magnitude is positive.
  Points axes;
  /// Along each axis, divided by the number of points; never negative.
  std::vector<double> variances;
};

/// The first `count` of them, or as many as there are dimensions where these are fewer.
///
/// points: one at least. Of points that do not vary, or only in some directions, the other axes
/// have variance 0 and any direction. The same bits for every number of threads. Memory: the points
/// once more, and a square matrix of their dimensions, three times. Throws Cancelled; not while the
/// matrix is decomposed (see symmetric_eigen.h).
[[nodiscard]] PrincipalComponents principal_components(const Points& points, std::int64_t count,
                                                       Context& context);

}  // namespace seedwave
