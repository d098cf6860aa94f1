// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/wavefront/partitions/slab_cells.h"
#include "core/wavefront/partitions/slab_order.h"
#include "core/wavefront/partitions/slab_queue.h"
#include "core/wavefront/partitions/slabs.h"

#include <cstdint>
#include <functional>

namespace seedwave {

/// Layers of other ranks on each side of its own whose final states a rank knows after a pass.
inline constexpr std::int64_t kLayersBeside = 2;

/// Brings a part and its halo to their fixpoint from the present states, and stores the result
/// (SlabStates). Returns where its halo would be raised. The context is the worker's share of the
/// run's: its device and threads, a stop token, scaled progress, and a small cache that is freed at
/// the end. Several workers call it at the same time, with parts of different slabs. One that
/// throws may have stored some of it.
using VisitSlab = std::function<SlabSides(const SlabPart& part, Context& context)>;

/// Runs a wavefront on the slabs of `states`, for data that exceeds the memory and for the
/// context's workers and ranks to share. Visits every slab, and again whenever a neighbour raises
/// its halo, until none waits. A later visit is to a few layers at that side, and to more of them
/// as long as it raises the next one: it takes as long as the change is deep. This is the
/// worklist's protocol one level above tiles. docs/wavefront.md explains why the result equals that
/// of the whole, for any number of workers and any order.
///
/// A worker whose device fails or lacks memory leaves its slab to the others, as long as there are
/// any, and the context's work_done() says so. Without `next` the order is near_first(). Throws
/// Cancelled, and whatever visits throw.
///
/// With ranks it is collective: each visits its own slabs. At the end it has the states of these,
/// and of kLayersBeside layers beside them if another pass follows.
void settle_slabs(SlabCells& states, const VisitSlab& visit, Context& context,
                  const NextSlab& next = {});
/// The same in this process alone: the visits know the states.
void settle_slabs(const SlabGrid& slabs, const VisitSlab& visit, Context& context,
                  const NextSlab& next = {});

/// Gives the states of all ranks to the first one. Collective.
void collect_states(SlabCells& states, Context& context);

}  // namespace seedwave
