// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/wavefront/tile_queue.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// A tile whose halo changed, and how urgent it is.
struct Wake {
  std::int64_t tile = 0;
  int priority = 0;
};

/// Brings one tile to local stability, publishes its border, and lists in `wakes` (given empty) the
/// neighbours that gain by it. Called by worker 0 .. threads-1, never twice at a time for one tile.
///
/// What several tiles share must be published by atomic stores, relaxed ones suffice: a tile woken
/// by this visit is read only after them.
using TileVisit = std::function<void(std::int64_t tile, int worker, std::vector<Wake>& wakes)>;

/// The CPU engine: visits queued tiles until no tile is outstanding, on at most context.threads()
/// threads, no more than there are tiles.
///
/// Where a tile's visit is monotone (its state only grows, by a join of what its halo offers), the
/// fixpoint is unique, so order, priorities and thread count do not show in the result.
/// Where no tile is more urgent than another, a worker takes up to 16 at once, visits them in the
/// queue's order and closes them together.
/// Reports `progress(level)` of the tile taken, level being its priority.
/// Throws: what a visit throws; Cancelled, at most one visit a thread after the stop was asked for.
void run_tiles(TileQueue queue, Context& context, const TileVisit& visit,
               const std::function<double(int level)>& progress);

}  // namespace seedwave
