// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/k_means.h"

#include <cstdint>

namespace seedwave {

/// Runs k_means(), and Lloyd's rounds from `further` more starts. Returns the clusters with the
/// smallest sum of squared distances, the first in a tie. For points without clear clusters, where
/// one start often gives a poor result.
///
/// The further starts are those of k-means++ (D. Arthur, S. Vassilvitskii, SODA 2007, 1027-1035).
/// Points are chosen one after the other, each with a probability proportional to its squared
/// distance to the nearest earlier one. Random numbers come from std::mt19937_64 with the number of
/// the start as its seed, so they are reproducible.
///
/// If there are more than kMostTried points, the further starts use that many, evenly chosen, and
/// the best of them continues with all points. A few thousand points suffice to compare starts. The
/// result is bitwise equal for any number of threads. Throws Cancelled.
[[nodiscard]] Clusters repeated_k_means(const KMeansProblem& problem, std::int64_t further,
                                        Context& context);

inline constexpr std::int64_t kMostTried = 2048;

}  // namespace seedwave
