// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"
#include "core/wavefront/partitions/settle_slabs.h"
#include "core/wavefront/partitions/slabs.h"

namespace seedwave {

/// Solves the whole image if it is one slab, else slab by slab, on the solver's backend.
///
/// A slab's marker is the present state of its cells and its halo. So the result needs only its own
/// memory, and is bitwise equal. The solver is called by all workers of the context at the same
/// time, with their devices. Of ranks the first one has the result. Throws whatever the solver
/// throws.
[[nodiscard]] Reconstruction reconstruct_within(const SlabGrid& slabs,
                                                const ReconstructionProblem& problem,
                                                const ReconstructionSolver& solver,
                                                Context& context);

/// Runs the same with given slabs and order.
[[nodiscard]] Reconstruction reconstruct_in_slabs(const ReconstructionProblem& problem,
                                                  const ReconstructionSolver& solver,
                                                  const SlabGrid& slabs, Context& context,
                                                  const NextSlab& next = {});

}  // namespace seedwave
