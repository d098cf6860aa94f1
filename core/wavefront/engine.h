// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/wavefront/tile_queue.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// A tile whose halo changed, with its priority.
struct Wake {
  std::int64_t tile = 0;
  int priority = 0;
};

/// Brings one tile to local stability, publishes its border, and adds to `wakes` (initially empty)
/// the neighbours that gain from it. Workers 0 .. threads-1 call it, but never two at a time for
/// one tile.
///
/// Data that several tiles share must be published by atomic stores; relaxed order suffices. A tile
/// woken by this visit is read only after them.
using TileVisit = std::function<void(std::int64_t tile, int worker, std::vector<Wake>& wakes)>;

/// The CPU engine: visits queued tiles until no tile is outstanding. Uses at most context.threads()
/// threads, and no more than there are tiles.
///
/// A tile's visit must be monotone: its state only rises, by joins with the offers of its halo.
/// Then the fixpoint is unique, and order, priorities and number of threads do not affect the
/// result. If all tiles are equally urgent, a worker takes up to 16 at once, visits them in the
/// queue's order and closes them together. Reports `progress(level)`, where level is the priority
/// of the tile taken. Throws whatever a visit throws. Throws Cancelled after at most one more visit
/// per thread once a stop was requested.
void run_tiles(TileQueue queue, Context& context, const TileVisit& visit,
               const std::function<double(int level)>& progress);

}  // namespace seedwave
