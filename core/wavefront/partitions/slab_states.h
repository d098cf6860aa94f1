// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/base/scratch_files.h"
#include "core/parallel/context.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/partitions/slab_cells.h"
#include "core/wavefront/partitions/slab_queue.h"
#include "core/wavefront/partitions/slabs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {

/// The states of a wavefront's cells, of which workers read and write different slabs at the same
/// time. Two slabs meet at a side, whose lock guards the layer before it and the layer after it:
/// one is written by the owner of its slab, while the other owner reads it as his halo.
template <typename State>
class SlabStates : public SlabCells {
 public:
  /// `cells` are the states of the whole grid. Borrows them and `slabs`. `context`: of the run
  /// whose workers visit slabs.
  SlabStates(const SlabGrid& slabs, std::span<State> cells, const Context& context,
             PassStart first = {})
      : SlabCells(slabs, std::as_writable_bytes(cells), std::move(first), context.sharers() > 1),
        cells_(cells),
        shared_(context.sharers() > 1) {}

  /// The states of a part and its halo, as they were when they were looked at, until the next look
  /// at this slab.
  using Seen = std::shared_ptr<const State[]>;
  /// A single worker sees the cells themselves: he stores only after he has read. In a run that is
  /// shared by several it is a copy.
  [[nodiscard]] Seen look(const SlabPart& part, Context& context) {
    start(part, context);
    const Slab& layers = part.layers;
    if (!shared_) return Seen(std::shared_ptr<void>(), at(layers.halo_begin));
    return copy(part, context);
  }

  /// Stores the part's own layers of the result for part and halo. The halo's layers are left to
  /// their owners. Returns the sides where the result differs from what was seen there.
  [[nodiscard]] SlabSides store(const SlabPart& part, std::span<const State> solved,
                                const Seen& seen, Context& context) {
    const State* const cells = seen.get();
    return store(part, solved.data(), cells, cells + place(part.layers, part.layers.end), context);
  }

  /// A copy of the states of a part and its halo, which a visit changes in place.
  class Draft {
   public:
    [[nodiscard]] std::span<State> cells() { return {cells_.get(), count_}; }

   private:
    friend class SlabStates;
    LargeArray<State> cells_;
    std::size_t count_ = 0;
    std::vector<State> before_;  // the halo as it was, if others may write it meanwhile
    std::vector<State> after_;
  };
  [[nodiscard]] Draft draft(const SlabPart& part, Context& context) {
    start(part, context);
    const Slab& layers = part.layers;
    Draft result;
    result.count_ = static_cast<std::size_t>(place(layers, layers.halo_end));
    result.cells_ = copy(part, context);
    if (shared_) {
      const State* const cells = result.cells_.get();
      result.before_.assign(cells, cells + place(layers, layers.begin));
      result.after_.assign(cells + place(layers, layers.end), cells + result.count_);
    }
    return result;
  }
  /// Stores a draft as a result.
  [[nodiscard]] SlabSides store(const SlabPart& part, const Draft& draft, Context& context) {
    const Slab& layers = part.layers;
    return store(part, draft.cells_.get(), shared_ ? draft.before_.data() : at(layers.halo_begin),
                 shared_ ? draft.after_.data() : at(layers.end), context);
  }

 private:
  [[nodiscard]] State* at(std::int64_t layer) const {
    return cells_.data() + layer * slabs().layer_cells();
  }
  /// Returns the place of a layer in the states of a part and its halo.
  [[nodiscard]] std::int64_t place(const Slab& layers, std::int64_t layer) const {
    return (layer - layers.halo_begin) * slabs().layer_cells();
  }

  [[nodiscard]] LargeArray<State> copy(const SlabPart& part, Context& context) {
    const Slab& layers = part.layers;
    auto states = large_array<State>(static_cast<std::size_t>(place(layers, layers.halo_end)));
    const auto take = [&](std::int64_t begin, std::int64_t end) {
      copy_cells(at(begin), at(end), states.get() + place(layers, begin), context);
    };
    take(layers.begin, layers.end);
    {
      const std::lock_guard lock(side_before(part.slab));
      take(layers.halo_begin, layers.begin);
    }
    const std::lock_guard lock(side_before(part.slab + 1));
    take(layers.end, layers.halo_end);
    return states;
  }

  /// `before` and `after` are the halo as it was seen.
  [[nodiscard]] SlabSides store(const SlabPart& part, const State* from, const State* before,
                                const State* after, Context& context) {
    const Slab& layers = part.layers;
    const auto differ = [&](std::int64_t begin, std::int64_t end, const State* seen) {
      return !std::equal(from + place(layers, begin), from + place(layers, end), seen);
    };
    const SlabSides raised{.before = differ(layers.halo_begin, layers.begin, before),
                           .after = differ(layers.end, layers.halo_end, after)};
    const auto put = [&](std::int64_t begin, std::int64_t end) {
      copy_cells(from + place(layers, begin), from + place(layers, end), at(begin), context);
    };
    if (!shared_) {
      put(layers.begin, layers.end);
      return raised;
    }
    if (layers.layers() == 1) {
      // Both sides may be at its one layer; nobody else holds two locks.
      const std::scoped_lock lock(side_before(part.slab), side_before(part.slab + 1));
      put(layers.begin, layers.end);
      return raised;
    }
    put(layers.begin + 1, layers.end - 1);
    {
      const std::lock_guard lock(side_before(part.slab));
      put(layers.begin, layers.begin + 1);
    }
    const std::lock_guard lock(side_before(part.slab + 1));
    put(layers.end - 1, layers.end);
    return raised;
  }

  static void copy_cells(const State* from, const State* end, State* to, Context& context) {
    constexpr std::int64_t kCopiedAtOnce = std::int64_t{1} << 20;
    parallel_for(context, end - from, kCopiedAtOnce, [&](std::int64_t first, std::int64_t last) {
      scratch::copy(from + first, static_cast<std::size_t>(last - first), to + first);
    });
  }

  std::span<State> cells_;
  bool shared_;
};

}  // namespace seedwave
