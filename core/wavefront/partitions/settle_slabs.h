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

/// Result of a visit to a slab: whether a cell of each neighbour, in the slab's halo, rose.
struct SlabWakes {
  bool before = false;
  bool after = false;
};

/// Brings slab and halo to their fixpoint from the present states, and stores the result
/// (store_slab). The context is the slab's share of the run's: the same stop token, threads and
/// device, scaled progress, and a small cache that is freed at the end.
using VisitSlab = std::function<SlabWakes(std::int64_t slab, Context& context)>;

/// Returns the next of the waiting slabs (not 0). Only the order depends on it, not the result.
using NextSlab = std::function<std::int64_t(const std::vector<char>& waiting)>;

/// Returns a function that moves up and down over the slabs and skips those that do not wait. A
/// front through all slabs thus meets each slab once per sweep.
[[nodiscard]] NextSlab up_and_down();

/// Runs a wavefront on slabs that are loaded one at a time, for data that exceeds the memory.
/// Visits every slab, and again whenever a neighbour reports that it would gain, until none waits.
/// This is the worklist's protocol one level above tiles, with one worker. docs/wavefront.md
/// explains why the result equals that of the whole.
///
/// Throws Cancelled, and whatever visits throw.
void settle_slabs(std::int64_t count, const VisitSlab& visit, Context& context,
                  const NextSlab& next = up_and_down());

/// Stores the slab's own layers of the result for slab and halo. The halo's layers are left to
/// their owners, which must be woken if their states differ.
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

/// Calls body(slab, context) once for each slab, in order, with contexts as above. For work that
/// needs no second visit.
void for_each_slab(std::int64_t count,
                   const std::function<void(std::int64_t slab, Context& context)>& body,
                   Context& context);

}  // namespace seedwave
