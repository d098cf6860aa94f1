// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <optional>

namespace seedwave {

/// How far the surfaces of a label in two maps lie apart, in the unit of the spacing. The names are
/// the ids used in tables and JSON.
///
/// The surface of a label: the centres of its voxels that have a neighbour of another label, or
/// none because the grid ends (6 neighbours in a volume, 4 in an image). From each surface voxel of
/// one map to the nearest of the other: two directed sets of distances.
struct SurfaceDistances {
  /// The largest of all (Hausdorff distance).
  double hd = 0.0;
  /// The larger of the two directed 95th percentiles; between values by linear interpolation.
  double hd95 = 0.0;
  /// The 95th percentile of both sets together.
  double hd95_pooled = 0.0;
  /// The mean of both sets together.
  double assd = 0.0;
  /// The mean of the two directed means.
  double masd = 0.0;
};

/// The distances of one label; nothing where either map lacks it. Both on the same grid.
///
/// Cost: a distance transform an input, of the box that holds the label in both.
/// Throws: Cancelled.
[[nodiscard]] std::optional<SurfaceDistances> surface_distances(const LabelMap& result,
                                                                const LabelMap& reference,
                                                                std::uint16_t label,
                                                                Context& context);

}  // namespace seedwave
