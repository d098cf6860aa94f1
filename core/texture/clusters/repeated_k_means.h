// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/k_means.h"

#include <cstdint>

namespace seedwave {

/// k_means(), and Lloyd's rounds from so many further starts; of all the clusters whose squared
/// distances add up to the least, of equal ones the first. For points without clear clusters, where
/// one start often ends in a poor answer.
///
/// The further starts are those of k-means++ (D. Arthur, S. Vassilvitskii, SODA 2007, 1027-1035):
/// points one after the other, each with a chance by its squared distance to the nearest one
/// before. Chances come from std::mt19937_64 with the number of the start as its seed, so that
/// they are always the same.
///
/// Of more than kMostTried points the further starts see that many, evenly chosen, and the best of
/// them goes on with all: which start leads where shows in some thousand points already. The same
/// bits for every number of threads. Throws Cancelled.
[[nodiscard]] Clusters repeated_k_means(const KMeansProblem& problem, std::int64_t further,
                                        Context& context);

inline constexpr std::int64_t kMostTried = 2048;

}  // namespace seedwave
