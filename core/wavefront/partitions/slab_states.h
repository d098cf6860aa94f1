// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/wavefront/partitions/slab_queue.h"
#include "core/wavefront/partitions/slabs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace seedwave {

/// The states of a wavefront's cells, of which workers read and write different slabs at the same
/// time. Two slabs meet at a side, whose lock guards the layer before it and the layer after it:
/// one is written by the owner of its slab, while the other owner reads it as his halo.
template <typename State>
class SlabStates {
 public:
  /// `cells` are the states of the whole grid. Borrows its arguments. `workers`: the number that
  /// may visit slabs at the same time.
  SlabStates(const SlabGrid& slabs, std::span<State> cells, std::int64_t workers)
      : slabs_(slabs),
        cells_(cells),
        shared_(workers > 1),
        sides_(static_cast<std::size_t>(slabs.count() + 1)) {}

  /// The states of a slab and its halo, as they were when they were looked at.
  using Seen = std::shared_ptr<const State[]>;
  /// A single worker sees the cells themselves: he stores only after he has read. With several it
  /// is a copy.
  [[nodiscard]] Seen look(std::int64_t number) const {
    const Slab slab = slabs_.slab(number);
    if (!shared_) return Seen(std::shared_ptr<void>(), at(slab.halo_begin));
    const std::int64_t layers = slab.halo_end - slab.halo_begin;
    const std::shared_ptr<State[]> copy =
        large_array<State>(static_cast<std::size_t>(layers * slabs_.layer_cells()));
    const auto take = [&](std::int64_t begin, std::int64_t end) {
      std::copy(at(begin), at(end), copy.get() + (at(begin) - at(slab.halo_begin)));
    };
    take(slab.begin, slab.end);
    {
      const std::lock_guard lock(side_before(number));
      take(slab.halo_begin, slab.begin);
    }
    const std::lock_guard lock(side_before(number + 1));
    take(slab.end, slab.halo_end);
    return copy;
  }

  /// Stores the slab's own layers of the result for slab and halo. The halo's layers are left to
  /// their owners, which must be woken if the result differs from what was seen there.
  [[nodiscard]] SlabWakes store(std::int64_t number, std::span<const State> solved,
                                const Seen& seen) {
    const Slab slab = slabs_.slab(number);
    const std::int64_t layer = slabs_.layer_cells();
    const auto differ = [&](std::int64_t begin, std::int64_t end) {
      const auto from = (begin - slab.halo_begin) * layer;
      const auto to = (end - slab.halo_begin) * layer;
      return !std::equal(solved.begin() + from, solved.begin() + to, seen.get() + from);
    };
    const SlabWakes wakes{.before = differ(slab.halo_begin, slab.begin),
                          .after = differ(slab.end, slab.halo_end)};
    const auto put = [&](std::int64_t begin, std::int64_t end) {
      std::copy(solved.begin() + (begin - slab.halo_begin) * layer,
                solved.begin() + (end - slab.halo_begin) * layer, at(begin));
    };
    if (slab.end - slab.begin == 1) {
      // Both sides are at its one layer; nobody else holds two locks.
      const std::scoped_lock lock(side_before(number), side_before(number + 1));
      put(slab.begin, slab.end);
      return wakes;
    }
    put(slab.begin + 1, slab.end - 1);
    {
      const std::lock_guard lock(side_before(number));
      put(slab.begin, slab.begin + 1);
    }
    const std::lock_guard lock(side_before(number + 1));
    put(slab.end - 1, slab.end);
    return wakes;
  }

 private:
  /// Returns the lock of the side between a slab and the one before it. There is one at both ends,
  /// too, which nobody else takes.
  [[nodiscard]] std::mutex& side_before(std::int64_t number) const {
    return sides_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] State* at(std::int64_t layer) const {
    return cells_.data() + layer * slabs_.layer_cells();
  }

  const SlabGrid& slabs_;
  std::span<State> cells_;
  bool shared_;
  mutable std::vector<std::mutex> sides_;
};

}  // namespace seedwave
