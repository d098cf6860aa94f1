// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <optional>

namespace seedwave {

/// Distances between the surfaces of a label in two maps, in the unit of the spacing. The names are
/// the ids used in tables and JSON.
///
/// The surface of a label is the set of the centres of its voxels that have a neighbour of another
/// label, or lie at the border of the grid (6 neighbours in a volume, 4 in an image). Distances go
/// from each surface voxel of one map to the nearest of the other: two directed sets of distances.
struct SurfaceDistances {
  /// The largest of all (Hausdorff distance).
  double hd = 0.0;
  /// The larger of the two directed 95th percentiles, interpolated linearly.
  double hd95 = 0.0;
  /// The 95th percentile of both sets together.
  double hd95_pooled = 0.0;
  /// The mean of both sets together.
  double assd = 0.0;
  /// The mean of the two directed means.
  double masd = 0.0;
};

/// Returns the distances of one label, or nothing if either map lacks it. Both maps are on the same
/// grid.
///
/// Cost: a distance transform per map, of the box that holds the label in both.
/// Throws Cancelled.
[[nodiscard]] std::optional<SurfaceDistances> surface_distances(const LabelMap& result,
                                                                const LabelMap& reference,
                                                                Label label, Context& context);

}  // namespace seedwave
