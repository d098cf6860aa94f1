// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <cstdint>
#include <vector>

/// k-means: centres such that the squared distances of points to the nearest centre add up to
/// little, found by Lloyd's rounds (IEEE Trans. Inf. Theory 28(2):129-137, 1982) from fixed starts.
namespace seedwave {

struct KMeansProblem {
  /// One at least.
  Points points;
  /// How often each point counts, 1 or more; empty: once each.
  std::vector<std::int64_t> weights;
  /// How many are wanted, 1 or more.
  std::int64_t clusters = 1;
};

struct Clusters {
  /// As many as were wanted, or as there are different points where these are fewer.
  Points centres;
  /// The nearest centre of each point, of equally near ones the first.
  std::vector<std::int32_t> of_point;
  /// How often the centres were moved.
  std::int64_t rounds = 0;
  /// Each centre is the mean of its points, and each has some. Else kMostLloydRounds were not
  /// enough.
  bool settled = false;
};

inline constexpr std::int64_t kMostLloydRounds = 1000;

/// From the starts of starting_centres(): the same bits for every number of threads. A cluster that
/// loses its last point goes on from the point that adds most to the sum, of equal ones the first.
/// Throws Cancelled.
[[nodiscard]] Clusters k_means(const KMeansProblem& problem, Context& context);

/// The same from given starts, in place of problem.clusters. With more starts than there are
/// different points some are left without any.
[[nodiscard]] Clusters k_means_from(Points starts, const KMeansProblem& problem, Context& context);

/// PCA-Part (T. Su, J. G. Dy, Intell. Data Anal. 11(4):319-338, 2007) with Otsu's threshold (M. E.
/// Celebi, H. A. Kingravi, Int. J. Pattern Recognit. Artif. Intell. 26(7):1250018, 2012): from one
/// part that holds all points, the part whose points lie farthest from its mean, by the sum of
/// squares, is split across its principal axis where that leaves the least variance within both
/// sides along the axis, until there are as many as wanted, or each holds one point, be it several
/// times. The means of the parts.
///
/// The axis comes from power iteration that starts with the point farthest from the mean: close
/// enough for a start, and nothing of the size of a covariance is needed.
[[nodiscard]] Points starting_centres(const KMeansProblem& problem, Context& context);

/// How often point i counts.
[[nodiscard]] inline double weight_of(const KMeansProblem& problem, std::int64_t i) {
  return problem.weights.empty() ? 1.0 : static_cast<double>(problem.weights[i]);
}

}  // namespace seedwave
