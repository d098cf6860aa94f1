// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// Watershed from markers by the tile engine on the context's device, the three passes of core's
/// watershed_by_tiles() and the same labels. Stages: upload, altitudes, hops, labels, download.
/// Throws: InputError as there; UnavailableError (no device, out of memory), Cancelled.
[[nodiscard]] WatershedLabels watershed_by_tiles(const WatershedProblem& problem, Context& context);

/// Device memory of a run.
[[nodiscard]] std::int64_t watershed_bytes(const Geometry& geometry, VoxelType type);

}  // namespace seedwave::gpu
