// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/band.h"
#include "core/border/minimum_cut.h"
#include "core/border/refine_border.h"

#include <cstdint>
#include <vector>

namespace seedwave::border {

/// The voxels of a label that may change sides.
///
/// Most need no cut: one whose own evidence, with the edges to neighbours of known sides, outweighs
/// all its other edges has this side in every minimum cut. Only the rest is a network.
struct Network {
  Label label = 0;
  std::vector<BandCell> band;  // sorted by offset
  std::vector<CutSide> sides;  // Either where they are not known yet
  /// The voxels whose sides are not known, as positions in the band, and their network.
  std::vector<std::int32_t> open;
  std::vector<CutCell> cells;
};

/// Makes the network of a label.
///
/// labels: with the seeds. box: holds all voxels of the label. Throws InputError for NaN near the
/// border, UnavailableError for too many voxels, and Cancelled.
[[nodiscard]] Network make_network(const RefineBorderProblem& problem, const LabelMap& labels,
                                   Label label, const Box& box, Context& context);

}  // namespace seedwave::border
