// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// Reconstruction by the tile engine on the context's device: the same bits as core's
/// reconstruct_by_tiles(). In slabs (core/morphology/reconstruction_in_slabs.h) where the device's
/// free memory, or what the context states, is too little. Stages: upload, propagate, download.
/// Throws: InputError as there; UnavailableError (no device, out of memory), Cancelled.
[[nodiscard]] Reconstruction reconstruct_by_tiles(const ReconstructionProblem& problem,
                                                  Context& context);

/// Device memory of a run on the whole: marker and mask, which is done in place, tiles, their
/// borders and queue.
[[nodiscard]] std::int64_t reconstruction_bytes(const Geometry& geometry, VoxelType type);
/// The least that a run in slabs does with.
[[nodiscard]] std::int64_t least_reconstruction_bytes(const Geometry& geometry, VoxelType type);

}  // namespace seedwave::gpu
