// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>

namespace seedwave::gpu {

/// Watershed from markers by the tile engine on the context's device: the three passes of core's
/// watershed_by_tiles(), with the same labels. Works in slabs
/// (core/morphology/watershed_in_slabs.h) if the device's free memory or the context's limit is too
/// small. Stages: upload, altitudes, hops, labels, download. Throws: InputError as there;
/// UnavailableError (no device, out of memory), Cancelled.
[[nodiscard]] LabelMap watershed_by_tiles(const WatershedProblem& problem, Context& context);

/// Returns the device memory of a run on the whole image. `label_bytes`: 2 or 4.
[[nodiscard]] std::int64_t watershed_bytes(const Geometry& geometry, VoxelType type,
                                           std::size_t label_bytes);
/// Returns the minimum device memory of a run in slabs.
[[nodiscard]] std::int64_t least_watershed_bytes(const Geometry& geometry, VoxelType type);

}  // namespace seedwave::gpu
