// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// What a visit to a slab left for its neighbours: whether a cell of theirs would gain by what the
/// slab's border has now.
struct SlabWakes {
  bool before = false;
  bool after = false;
};

/// Brings the slab to rest with the present states of its halo, stores it, and looks across. The
/// context is the slab's share of the run's: same stop, threads and device, progress scaled, and a
/// cache of its own that goes with it.
using VisitSlab = std::function<SlabWakes(std::int64_t slab, Context& context)>;

/// Which of the slabs that wait (not 0) is next. Order only: the result is the same for any.
using NextSlab = std::function<std::int64_t(const std::vector<char>& waiting)>;

/// Goes up and down over the slabs, past those that do not wait: so a front that runs through all
/// of them meets each once a turn.
[[nodiscard]] NextSlab up_and_down();

/// A wavefront on slabs that are brought in one at a time, for what does not fit into memory at
/// once: every slab is visited, and again whenever a neighbour says that it would gain, until none
/// waits. The worklist's protocol one level above tiles, with one worker; why the result is that of
/// the whole: docs/wavefront.md.
///
/// Throws Cancelled, and what visits throw.
void settle_slabs(std::int64_t count, const VisitSlab& visit, Context& context,
                  const NextSlab& next = up_and_down());

/// Calls body(slab, context) once for each slab, in order, with contexts as above: for what needs
/// no second visit.
void for_each_slab(std::int64_t count,
                   const std::function<void(std::int64_t slab, Context& context)>& body,
                   Context& context);

}  // namespace seedwave
