// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// Reconstruction by the tile engine on the context's device: the same bits as core's
/// reconstruct_by_tiles(). Stages: upload, propagate, download.
/// Throws: InputError as there; UnavailableError (no device, out of memory), Cancelled.
[[nodiscard]] Reconstruction reconstruct_by_tiles(const ReconstructionProblem& problem,
                                                  Context& context);

/// Device memory of a run: marker and mask, which is done in place, tile borders and queue.
[[nodiscard]] std::int64_t reconstruction_bytes(const Geometry& geometry, VoxelType type);

}  // namespace seedwave::gpu
