// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/band.h"
#include "core/border/capacities.h"
#include "core/border/minimum_cut.h"
#include "core/border/refine_border.h"
#include "core/border/side_map.h"

#include <cstdint>
#include <vector>

namespace seedwave::border {

/// Voxels that may change sides.
struct Band {
  std::vector<BandCell> cells;  // sorted by offset
  std::vector<CutSide> sides;   // Either where they are not known
  /// The voxels whose sides are not known, as positions in the band.
  std::vector<std::int32_t> open;
};

/// All that the cut of a label reads of the image.
struct CutCosts {
  const Volume& image;
  const BorderModel& model;
  CapacityTables tables;
};

/// Finds sides that need no cut: a voxel whose own evidence, with the edges to neighbours of known
/// sides, outweighs all its other edges has this side in every minimum cut.
///
/// map: holds the voxels; their sides are set in it. Throws InputError for NaN, and Cancelled.
void settle(const CutCosts& costs, SideMap& map, Band& band, Context& context);

/// Makes the network of the voxels that are open, which a cut decides on. Throws as settle() does.
[[nodiscard]] std::vector<CutCell> network_of(const CutCosts& costs, const SideMap& map,
                                              const Band& band, Context& context);

}  // namespace seedwave::border
