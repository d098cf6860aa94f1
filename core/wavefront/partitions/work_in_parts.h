// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/parallel/shared_items.h"

#include <cstdint>
#include <functional>

namespace seedwave {

/// Items of work that need no results of each other: rows of an image, directions, lines. Those who
/// share a run divide them twice: each rank has a range of them (own_items()), and its workers take
/// parts of that range.
struct WorkItems {
  /// The items of this rank.
  LayerRange own;
  /// Cells of an item, for the report.
  std::int64_t cells_each = 1;
  /// Smallest number of items of a part if that leaves one for each worker. A part that reads much
  /// beside its own items should have many.
  std::int64_t fewest = 1;
  /// Largest number of items of a part; 0 for any number.
  std::int64_t most = 0;
};

/// Receives consecutive items, and the context of the worker that took them.
using PartOfWork = std::function<void(const LayerRange& part, Context& context)>;

/// Calls body(part, context) for parts that together are all items of this rank. Several workers
/// take parts first come, first served, at the same time, each with its device and threads, its
/// share of the memory, a stop token and scaled progress; the context's work_done() tells who did
/// what. One worker gets all items at once, or `most`, one part after the other.
///
/// A part whose worker failed, or was far slower than the others, is begun anew by another one: a
/// body may write its results as they come, and must add up nothing before its end. Throws what
/// settle_slabs() throws.
void for_each_part(const WorkItems& work, const PartOfWork& body, Context& context);

}  // namespace seedwave
