// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/slabs.h"
#include "core/fuzzy/tiles/kernel.h"

#include <cstddef>
#include <cstdint>

namespace seedwave::fuzzy {

/// Returns a solver of slabs on bricks. Borrows the kernel.
[[nodiscard]] SlabSolver slab_solver_on_bricks(const TileKernel& kernel);

/// Properties of a problem that determine the memory of its slabs.
struct SlabDemand {
  Connectivity connectivity = Connectivity::C6;
  std::size_t labels = 2;
  /// Number of intensity tables: one, or one per label.
  std::size_t objects = 1;
  std::size_t seeds = 0;
};
[[nodiscard]] SlabDemand demand_of(const Problem& problem);

/// Returns the working memory of a slab on bricks: its part of the scene, strengths, affinities,
/// edges, labels, the known halo cells, and its result. Excludes the memory of each thread.
[[nodiscard]] BytesForSize slab_bytes_on_bricks(const SlabDemand& demand);
/// Passes of a connectedness in slabs. Besides the slabs both need the affinities' tables and
/// copies of the seeds. Rfc also needs the strengths to one label.
enum class Passes { Irfc, Rfc };
[[nodiscard]] std::int64_t fixed_bytes_on_bricks(Passes passes, std::int64_t cells,
                                                 const SlabDemand& demand);

}  // namespace seedwave::fuzzy
