// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// Watershed from markers by the tile engine on the context's device, the three passes of core's
/// watershed_by_tiles() and the same labels. In slabs (core/morphology/watershed_in_slabs.h) where
/// the device's free memory, or what the context states, is too little. Stages: upload, altitudes,
/// hops, labels, download. Throws: InputError as there; UnavailableError (no device, out of
/// memory), Cancelled.
[[nodiscard]] WatershedLabels watershed_by_tiles(const WatershedProblem& problem, Context& context);

/// Device memory of a run on the whole.
[[nodiscard]] std::int64_t watershed_bytes(const Geometry& geometry, VoxelType type);
/// The least that a run in slabs does with.
[[nodiscard]] std::int64_t least_watershed_bytes(const Geometry& geometry, VoxelType type);

}  // namespace seedwave::gpu
