// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// The directions along which points vary most after a linear map: mapped(points, mean, axes) keeps
/// as much of the variance of what the map gives as so many coordinates can.
struct PrincipalComponents {
  std::vector<double> mean;
  /// Rows by falling variance: orthogonal ones of length 1, each with the first of its entries of
  /// largest magnitude positive, times the map.
  Points axes;
  /// Along each axis, divided by the number of points; never negative.
  std::vector<double> variances;
};

/// The first `count` of them, or as many as the map gives coordinates where these are fewer.
///
/// points: one at least. map: a row a coordinate; the identity for those of the points themselves.
/// Of points that do not vary, or only in some directions, the other axes have variance 0 and any
/// direction. The points are not mapped: their covariance is. The same bits for every number of
/// threads. Memory: the points once more, and a square matrix of their dimensions, some times.
/// Throws Cancelled; not while the matrix is decomposed (see symmetric_eigen.h).
[[nodiscard]] PrincipalComponents principal_components(const Points& points, const Points& map,
                                                       std::int64_t count, Context& context);

}  // namespace seedwave
