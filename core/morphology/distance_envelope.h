// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/morphology/distance.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {

/// For each voxel how far the nearest source is, and its name.
struct NearestSources {
  /// In the scale's whole numbers; infinity where there is no source.
  std::vector<double> squared;
  /// The name of the nearest source, of equally near ones the smallest; -1 where there is none.
  std::vector<std::int64_t> name;
};

/// The exact Euclidean distance transform, by a lower envelope an axis.
///
/// names: for each voxel, x fastest, what a source is called, or less than 0 where it is none.
/// Cost: along y and z a line of n voxels takes O(n log n). 16 bytes per voxel.
/// Throws: Cancelled.
[[nodiscard]] NearestSources nearest_sources(std::vector<std::int64_t> names, const Index3& size,
                                             const DistanceScale& scale, Context& context);

/// What was found, in the problem's forms.
[[nodiscard]] DistanceMap distance_map_of(const NearestSources& found,
                                          const DistanceProblem& problem, Context& context);

}  // namespace seedwave
