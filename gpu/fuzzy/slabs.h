// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/slabs.h"

#include <cstddef>
#include <cstdint>

namespace seedwave::gpu {

/// Returns a solver of slabs of connectedness (4 and 6 neighbours) on bricks of the context's
/// device.
[[nodiscard]] fuzzy::SlabSolver slab_solver_on_bricks();

/// The inputs to the device memory of a slab. Its memory holds bricks with affinities, strengths,
/// edges and label bits, its part of the scene, the known cells of its halo, and downloads.
struct SlabDemand {
  std::size_t labels = 2;
  /// Number of tables of intensities: one, or one per label.
  std::size_t objects = 1;
  std::size_t seeds = 0;
};
[[nodiscard]] BytesForSize slab_bytes_on_bricks(const SlabDemand& demand);

}  // namespace seedwave::gpu
