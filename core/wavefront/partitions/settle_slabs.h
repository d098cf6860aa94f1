// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/wavefront/partitions/slab_order.h"
#include "core/wavefront/partitions/slab_queue.h"
#include "core/wavefront/partitions/slabs.h"

#include <cstdint>
#include <functional>

namespace seedwave {

/// Brings slab and halo to their fixpoint from the present states, and stores the result
/// (SlabStates). The context is the worker's share of the run's: its device and threads, a stop
/// token, scaled progress, and a small cache that is freed at the end. Several workers call it at
/// the same time, with different slabs. A visit that throws must have stored nothing.
using VisitSlab = std::function<SlabWakes(std::int64_t slab, Context& context)>;

/// Runs a wavefront on slabs, for data that exceeds the memory and for the context's workers to
/// share. Visits every slab, and again whenever a neighbour reports that it would gain, until none
/// waits. This is the worklist's protocol one level above tiles. docs/wavefront.md explains why the
/// result equals that of the whole, for any number of workers and any order.
///
/// A worker whose device fails or lacks memory leaves its slab to the others, as long as there are
/// any, and the context's work_done() says so. Without `next` the order is near_first(). Throws
/// Cancelled, and whatever visits throw.
void settle_slabs(const SlabGrid& slabs, const VisitSlab& visit, Context& context,
                  const NextSlab& next = {});

/// Calls body(slab, context) once for each of `count` slabs, with contexts as above. For work that
/// needs no second visit. `cells` of each are reported as done.
void for_each_slab(std::int64_t count,
                   const std::function<void(std::int64_t slab, Context& context)>& body,
                   Context& context, std::int64_t cells = 0);

}  // namespace seedwave
