// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/wavefront/partitions/slabs.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace seedwave {

/// What a visit to a slab found out about its neighbours: whether one of their cells, in its halo,
/// rose.
struct SlabWakes {
  bool before = false;
  bool after = false;
};

/// Brings slab and halo to rest from their present states, and stores it (store_slab). The
/// context is the slab's share of the run's: same stop, threads and device, progress scaled, and a
/// small cache that goes when all are done.
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

/// Stores a slab's own layers of what a visit made of it and its halo. The halo's are left to whom
/// they belong: he is to be woken where they are not what he has.
template <typename State>
[[nodiscard]] SlabWakes store_slab(const SlabGrid& slabs, std::int64_t number,
                                   std::span<const State> solved, std::span<State> states) {
  const Slab slab = slabs.slab(number);
  const std::int64_t layer = slabs.layer_cells();
  const std::int64_t first = slab.halo_begin * layer;
  const auto differ = [&](std::int64_t begin, std::int64_t end) {
    return !std::equal(solved.begin() + (begin * layer - first),
                       solved.begin() + (end * layer - first), states.begin() + begin * layer);
  };
  std::copy(solved.begin() + (slab.begin * layer - first),
            solved.begin() + (slab.end * layer - first), states.begin() + slab.begin * layer);
  return {.before = differ(slab.halo_begin, slab.begin), .after = differ(slab.end, slab.halo_end)};
}

/// Calls body(slab, context) once for each slab, in order, with contexts as above: for what needs
/// no second visit.
void for_each_slab(std::int64_t count,
                   const std::function<void(std::int64_t slab, Context& context)>& body,
                   Context& context);

}  // namespace seedwave
