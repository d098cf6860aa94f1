// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <cstdint>
#include <vector>

namespace seedwave {

struct ClassMeansProblem {
  Points points;
  /// 0 .. classes - 1 for each point. Each class has at least one.
  std::vector<std::int32_t> class_of;
  std::int64_t classes = 1;
  /// Largest number of rows of the map. It has more if that is needed to distinguish the classes.
  std::int64_t dimensions = 32;
};

/// A map to a space in which the points of a class have unit spread: y = axes (x - origin), and |y
/// - y'| is the Mahalanobis distance of x and x'.
///
/// The rows of the map are orthogonal with respect to that distance. The first ones distinguish the
/// classes; they are as many as the means span (at most classes - 1). The nearest mean, and the
/// differences of squared distances to the means, are exact without all other rows. The next rows
/// are the directions in which the points of a class vary most, since a distance to one mean is
/// meaningful only with these. A map with as many rows as the points have dimensions gives the
/// whole Mahalanobis distance.
struct ClassMeans {
  /// The mean of all points.
  std::vector<double> origin;
  Points axes;
  /// The mapped mean of each class.
  Points means;
  /// The share of the covariance that is a multiple of the identity: rho below.
  double shrinkage = 0.0;
};

inline constexpr double kLeastShrinkage = 1e-3;

/// Computes the map from the covariance of the offsets from their class's mean, over all classes.
/// The covariance is shrunk towards a multiple of the identity, so it is invertible even for few
/// points:
///
///   (1 - rho) S + rho m I, m = tr S / p, rho = min(d^2, b^2) / d^2, d^2 = |S - m I|^2,
///   b^2 = sum of |y y^T - S|^2 over the offsets y / n^2
///
/// (O. Ledoit, M. Wolf, J. Multivar. Anal. 88(2):365-411, 2004, equation 14), but rho is at least
/// kLeastShrinkage: windows under one stroke overlap, so their effective number is smaller. If
/// points do not differ within their classes, the covariance is the identity.
///
/// The result is bitwise equal for any number of threads. Memory and time are as for
/// principal_components(). Throws Cancelled.
[[nodiscard]] ClassMeans class_means(const ClassMeansProblem& problem, Context& context);

}  // namespace seedwave
