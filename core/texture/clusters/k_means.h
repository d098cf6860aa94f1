// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <cstdint>
#include <vector>

/// k-means: centres for which the sum of the squared distances of points to the nearest centre is
/// small. They are found by Lloyd's rounds (IEEE Trans. Inf. Theory 28(2):129-137, 1982) from fixed
/// starts.
namespace seedwave {

struct KMeansProblem {
  /// At least one.
  Points points;
  /// Number of times that each point counts, at least 1. If empty, once each.
  std::vector<std::int64_t> weights;
  /// Number of clusters requested, at least 1.
  std::int64_t clusters = 1;
};

struct Clusters {
  /// The requested number of centres, or the number of distinct points if that is smaller.
  Points centres;
  /// The nearest centre of each point, the first if several are equally near.
  std::vector<std::int32_t> of_point;
  /// Number of times that the centres were moved.
  std::int64_t rounds = 0;
  /// Set if each centre is the mean of its points, and each has some. Otherwise kMostLloydRounds
  /// were not enough.
  bool settled = false;
};

inline constexpr std::int64_t kMostLloydRounds = 1000;

/// Starts from starting_centres(). The result is bitwise equal for any number of threads. A cluster
/// that loses its last point continues from the point that adds most to the sum, the first in a
/// tie. Throws Cancelled.
[[nodiscard]] Clusters k_means(const KMeansProblem& problem, Context& context);

/// Starts from given centres instead of problem.clusters. If there are more starts than distinct
/// points, some centres have no points.
[[nodiscard]] Clusters k_means_from(Points starts, const KMeansProblem& problem, Context& context);

/// Finds starting centres by PCA-Part (T. Su, J. G. Dy, Intell. Data Anal. 11(4):319-338, 2007)
/// with Otsu's threshold (M. E. Celebi, H. A. Kingravi, Int. J. Pattern Recognit. Artif. Intell.
/// 26(7):1250018, 2012). Begins with one part that holds all points. Repeatedly splits the part
/// with the largest sum of squared distances from its mean, across its principal axis. The
/// threshold minimises the variance within both sides along the axis. Stops at the requested number
/// of parts, or if all points in each part coincide. Returns the means of the parts.
///
/// The axis comes from power iteration, starting with the point farthest from the mean. That is
/// accurate enough for a start, and needs no memory of the size of a covariance.
[[nodiscard]] Points starting_centres(const KMeansProblem& problem, Context& context);

/// Returns how often point i counts.
[[nodiscard]] inline double weight_of(const KMeansProblem& problem, std::int64_t i) {
  return problem.weights.empty() ? 1.0 : static_cast<double>(problem.weights[i]);
}

}  // namespace seedwave
