// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/wavefront/partitions/settle_slabs.h"
#include "core/wavefront/partitions/slabs.h"

#include <cstdint>

namespace seedwave {

/// Runs `solver` with at most `budget` bytes of working memory, of which it takes bytes(size) on a
/// grid of that size. Solves the whole image if that fits, else slab by slab, on the solver's
/// backend.
///
/// A slab's marker is the present state of its cells and its halo. So the result needs only its own
/// memory, and is bitwise equal. Throws whatever the solver throws, and UnavailableError if a layer
/// with its halo does not fit.
[[nodiscard]] Reconstruction reconstruct_within(std::int64_t budget,
                                                const ReconstructionProblem& problem,
                                                const ReconstructionSolver& solver,
                                                const BytesForSize& bytes, Context& context);

/// Runs the same with given slabs and order.
[[nodiscard]] Reconstruction reconstruct_in_slabs(const ReconstructionProblem& problem,
                                                  const ReconstructionSolver& solver,
                                                  const SlabGrid& slabs, Context& context,
                                                  const NextSlab& next = up_and_down());

}  // namespace seedwave
