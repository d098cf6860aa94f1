// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed.h"

#include <optional>

namespace seedwave::watershed {

/// Computes watershed_by_tiles() with 4 or 8 neighbours: hops and labels through gates, with vector
/// code. Returns nothing if a plateau has more hops than 16 bits hold.
[[nodiscard]] std::optional<WatershedLabels> labels_in_planes(const WatershedProblem& problem,
                                                              Context& context);

}  // namespace seedwave::watershed
