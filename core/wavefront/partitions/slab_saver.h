// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/checkpoint.h"
#include "core/parallel/context.h"
#include "core/wavefront/partitions/slab_cells.h"
#include "core/wavefront/partitions/slab_queue.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace seedwave {

/// Saves the slabs of a pass while workers visit them. A slab is saved between two visits; they
/// wait for the copy and not for the disk.
class SlabSaver {
 public:
  /// Begins a pass of the context's checkpoint: the states go on from what it holds. Borrows its
  /// arguments. Collective.
  SlabSaver(SlabCells& states, const Context& context);

  /// Returns whether the checkpoint holds the final states of all ranks.
  [[nodiscard]] bool is_final() const noexcept { return is_final_; }
  /// Returns whether it is true of all ranks. Collective.
  [[nodiscard]] bool of_all_ranks(bool own) const;
  /// A visit to the slab has ended.
  void changed(std::int64_t slab) { changed_[static_cast<std::size_t>(slab)] = true; }
  /// Saves what changed at each interval, until a stop is requested.
  void work(SlabQueue& queue, const std::stop_token& stop);
  /// The final states could not be read after all: the pass is run from what could be. Throws
  /// UnavailableError if it cannot go on from that.
  void take_back();
  /// No slab waits or is visited any more: saves the rest if it is time and of use. Collective.
  void finish();

 private:
  /// Lets go of the slab once its states are copied.
  void save(std::int64_t slab, SlabQueue* held_by);
  [[nodiscard]] std::span<const std::byte> states_of(std::int64_t slab) const;

  SlabCells& states_;
  const Context& context_;
  Checkpoint& checkpoint_;
  int pass_;
  bool is_final_;
  std::vector<std::atomic<bool>> changed_;  // by slab: since it was saved
  std::unique_ptr<std::byte[]> copy_;       // of one slab
  bool began_ = false;                      // to save
};

}  // namespace seedwave
