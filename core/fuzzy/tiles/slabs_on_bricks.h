// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/slabs.h"
#include "core/fuzzy/tiles/kernel.h"

#include <cstddef>
#include <cstdint>

namespace seedwave::fuzzy {

/// Slabs solved on bricks. Borrows the kernel.
[[nodiscard]] SlabSolver slab_solver_on_bricks(const TileKernel& kernel);

/// What a connectedness in slabs needs to be told of a problem.
struct SlabDemand {
  Connectivity connectivity = Connectivity::C6;
  std::size_t labels = 2;
  /// Tables of intensities: one, or one per label.
  std::size_t objects = 1;
  std::size_t seeds = 0;
};
[[nodiscard]] SlabDemand demand_of(const Problem& problem);

/// Working memory of a slab on bricks: its part of the scene, strengths, affinities, edges, labels,
/// what is known of its halo, and its result. Not counted: what each thread needs for itself.
[[nodiscard]] BytesForSize slab_bytes_on_bricks(const SlabDemand& demand);
/// What is needed beside any slab: the affinities' tables, copies of seeds, and for rfc the
/// strengths to one label.
enum class Passes { Irfc, Rfc };
[[nodiscard]] std::int64_t fixed_bytes_on_bricks(Passes passes, std::int64_t cells,
                                                 const SlabDemand& demand);

}  // namespace seedwave::fuzzy
