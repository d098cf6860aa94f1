// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// The directions along which points vary most after a linear map. mapped(points, mean, axes) keeps
/// the largest possible variance of the map's output for that number of coordinates.
struct PrincipalComponents {
  std::vector<double> mean;
  /// Rows in the order of descending variance: orthogonal vectors of length 1 times the map. The
  /// sign makes the first of their entries of largest magnitude positive.
  Points axes;
  /// Variances along each axis, divided by the number of points; never negative.
  std::vector<double> variances;
};

/// Returns the first `count` components, or as many as the map has coordinates if that is smaller.
///
/// `points` has at least one point. `map` has one row per coordinate; the identity gives the
/// components of the points themselves. If points do not vary, or vary only in some directions, the
/// other axes have variance 0 and arbitrary directions. The map is applied to the covariance and
/// not to the points. The result is bitwise equal for any number of threads. Memory: a copy of the
/// points, and several square matrices of their dimensions. Throws Cancelled, but not while the
/// matrix is decomposed (see symmetric_eigen.h).
[[nodiscard]] PrincipalComponents principal_components(const Points& points, const Points& map,
                                                       std::int64_t count, Context& context);

}  // namespace seedwave
