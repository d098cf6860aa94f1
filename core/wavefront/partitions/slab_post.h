// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/ranks.h"
#include "core/wavefront/partitions/slab_cells.h"
#include "core/wavefront/partitions/slab_queue.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace seedwave {

/// Carries layers of states between the ranks that share a wavefront, and finds its end. A rank
/// sends an outermost layer when one of its visits raised the halo beyond it, which is the owner's
/// outermost layer. The owner takes the layer as his halo and visits his slab again.
///
/// The end (F. Mattern, Distributed Computing 2, 1987, the four-counter method): each rank that
/// rests contributes the numbers of layers that it sent and received. If in two rounds one after
/// the other as many were received as were sent, and no more in the second, nobody can be woken any
/// more: between the rounds there was a moment at which all rested and nothing was on its way.
class SlabPost {
 public:
  /// Borrows its arguments. All ranks make one for each wavefront, in the same order.
  SlabPost(SlabCells& states, SlabQueue& queue, Ranks& ranks)
      : states_(states), queue_(queue), ranks_(ranks) {}

  /// Sends the outermost layer on that side of this rank's slabs to its neighbour. Called by a
  /// worker before it ends its visit to the slab that holds the layer.
  void send(bool before);
  /// Delivers layers until all ranks rest, and then closes the queue; or until the queue is
  /// stopped. Throws what Ranks throws.
  void work();

 private:
  void send_all();
  void receive_all();
  /// Returns whether this rank does nothing unless a message arrives.
  [[nodiscard]] bool is_idle();
  [[nodiscard]] bool find_end();

  SlabCells& states_;
  SlabQueue& queue_;
  Ranks& ranks_;
  std::int64_t sent_ = 0;
  std::int64_t received_ = 0;
  bool in_round_ = false;
  Ranks::Sums last_{-1, -1};
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<std::pair<int, Ranks::Bytes>> outgoing_;
};

}  // namespace seedwave
