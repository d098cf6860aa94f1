// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// Reconstruction by the tile engine on the context's device, bit-identical to core's
/// reconstruct_by_tiles(). Works in slabs (core/morphology/reconstruction_in_slabs.h) if the
/// device's free memory or the context's limit is too small. Stages: upload, propagate, download.
/// Throws: InputError as there; UnavailableError (no device, out of memory), Cancelled.
[[nodiscard]] Reconstruction reconstruct_by_tiles(const ReconstructionProblem& problem,
                                                  Context& context);

/// Returns the device memory of a run on the whole image: marker and mask, processed in place,
/// tiles, their borders and queue.
[[nodiscard]] std::int64_t reconstruction_bytes(const Geometry& geometry, VoxelType type);
/// Returns the minimum device memory of a run in slabs.
[[nodiscard]] std::int64_t least_reconstruction_bytes(const Geometry& geometry, VoxelType type);

}  // namespace seedwave::gpu
