// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/morphology/distance.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {

/// Distance and name of the nearest source, for each voxel.
struct NearestSources {
  /// Squared distances in the scale's integers; infinity if there is no source.
  std::vector<double> squared;
  /// Name of the nearest source, the smallest if several are equally near; -1 if there is none.
  std::vector<std::int64_t> name;
};

/// Computes the exact Euclidean distance transform by a lower envelope per axis.
///
/// `names` gives for each voxel, x fastest, the name of a source, or a negative value. Cost: along
/// y and z a line of n voxels takes O(n log n). Takes 16 bytes per voxel. Throws Cancelled.
[[nodiscard]] NearestSources nearest_sources(std::vector<std::int64_t> names, const Index3& size,
                                             const DistanceScale& scale, Context& context);

/// Converts the result to the problem's forms.
[[nodiscard]] DistanceMap distance_map_of(const NearestSources& found,
                                          const DistanceProblem& problem, Context& context);

}  // namespace seedwave
