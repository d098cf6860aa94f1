// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <cstdint>
#include <vector>

namespace seedwave {

struct ClassMeansProblem {
  Points points;
  /// 0 .. classes - 1 for each point; each class has one at least.
  std::vector<std::int32_t> class_of;
  std::int64_t classes = 1;
  /// The map has at most so many rows, but never fewer than tell the classes apart.
  std::int64_t dimensions = 32;
};

/// A map after which distances count in units of how much the points of a class spread:
/// y = axes (x - origin), and |y - y'| is the Mahalanobis distance of x and x'.
///
/// The rows of the map are orthogonal in the sense of that distance. The first, as many as the
/// means span (classes - 1 at most), tell the classes apart: which mean is nearest, and by how much
/// in squared distance, is exactly so with all others left out. Then come directions in which the
/// points of a class spread most, since a distance to one mean means something only with these. Of
/// a map with as many rows as the points have dimensions it is the whole Mahalanobis distance.
struct ClassMeans {
  /// The mean of all points.
  std::vector<double> origin;
  Points axes;
  /// Of each class, mapped.
  Points means;
  /// What share of the covariance is a multiple of the identity: rho below.
  double shrinkage = 0.0;
};

inline constexpr double kLeastShrinkage = 1e-3;

/// The covariance is that of the offsets from their class's mean, all classes together, shrunk
/// towards a multiple of the identity, so that it has an inverse however few points there are:
///
///   (1 - rho) S + rho m I, m = tr S / p, rho = min(d^2, b^2) / d^2, d^2 = |S - m I|^2,
///   b^2 = sum of |y y^T - S|^2 over the offsets y / n^2
///
/// (O. Ledoit, M. Wolf, J. Multivar. Anal. 88(2):365-411, 2004, equation 14), but rho not below
/// kLeastShrinkage: windows under one stroke overlap, and are fewer than they seem.
/// Points that do not differ within their classes have the identity for their covariance.
///
/// The same bits for every number of threads; memory and time as principal_components(). Throws
/// Cancelled.
[[nodiscard]] ClassMeans class_means(const ClassMeansProblem& problem, Context& context);

}  // namespace seedwave
