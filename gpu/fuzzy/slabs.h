// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/slabs.h"

#include <cstddef>
#include <cstdint>

namespace seedwave::gpu {

/// Slabs of connectedness (4 and 6 neighbours) solved on bricks of the context's device.
[[nodiscard]] fuzzy::SlabSolver slab_solver_on_bricks();

/// Device memory of a slab: bricks with affinities, strengths, edges and the bits of so many
/// labels, its part of the scene, what is known of its halo, and the way back.
struct SlabDemand {
  std::size_t labels = 2;
  /// Tables of intensities: one, or one a label.
  std::size_t objects = 1;
  std::size_t seeds = 0;
};
[[nodiscard]] BytesForSize slab_bytes_on_bricks(const SlabDemand& demand);

}  // namespace seedwave::gpu
