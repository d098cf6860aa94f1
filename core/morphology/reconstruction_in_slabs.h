// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/wavefront/partitions/settle_slabs.h"
#include "core/wavefront/partitions/slabs.h"

#include <cstdint>

namespace seedwave {

/// `solver` with at most `budget` bytes of working memory, of which it takes bytes(size) on a grid
/// of that size: on the whole where that is enough, else slab by slab, on whatever it runs on.
///
/// A slab's marker is what its cells have by now, its halo's included; so the result needs no
/// memory but its own, and is the same bits.
/// Throws: what the solver throws; UnavailableError where a layer with its halo is too much.
[[nodiscard]] Reconstruction reconstruct_within(std::int64_t budget,
                                                const ReconstructionProblem& problem,
                                                const ReconstructionSolver& solver,
                                                const BytesForSize& bytes, Context& context);

/// The same in given slabs and order.
[[nodiscard]] Reconstruction reconstruct_in_slabs(const ReconstructionProblem& problem,
                                                  const ReconstructionSolver& solver,
                                                  const SlabGrid& slabs, Context& context,
                                                  const NextSlab& next = up_and_down());

}  // namespace seedwave
