// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What can be chosen of, and is known of, the multi-level queue of G. Teodoro, T. Pan, T. M. Kurc,
/// J. Kong, L. A. D. Cooper, J. H. Saltz, Efficient irregular wavefront propagation algorithms on
/// hybrid CPU-GPU machines, Parallel Computing 39, 2013, section 3.2.
namespace seedwave::gpu {

/// How a block's threads put cells into the block's queue in global memory (the paper's GBQ).
enum class QueueDesign {
  Naive,      // one by one, each by an atomic addition to the queue's length
  PrefixSum,  // a warp's cells by one addition, into a block queue in shared memory (BQ) that is
              // copied out as a whole
  PerThread   // the same, but a thread first fills a short queue of its own (TQ)
};

struct QueueSettings {
  QueueDesign design = QueueDesign::PerThread;
  /// Cells that the queues of all blocks have room for together; 0: a tenth more than are active at
  /// first, which the paper found to be enough, and a few thousand a block.
  std::int64_t room = 0;
  /// Thread blocks of a multiprocessor; 0: as many as it holds at once.
  int blocks_per_multiprocessor = 0;
  /// Of all multiprocessors together; 0: see above.
  int blocks = 0;
};

/// What the queues of a run have seen.
struct QueueUse {
  /// Cells that were active before the first wave.
  std::int64_t initial = 0;
  /// All that were taken from a queue.
  std::int64_t total = 0;
  /// For which there was no room: they were found again by another run.
  std::int64_t dropped = 0;
  /// Runs until nothing was dropped: 1 where the room was enough, 0 where nothing was active.
  int runs = 0;
};

}  // namespace seedwave::gpu
