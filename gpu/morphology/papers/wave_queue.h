// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Settings and statistics of the multi-level queue of G. Teodoro, T. Pan, T. M. Kurc, J. Kong, L.
/// A. D. Cooper, J. H. Saltz, Efficient irregular wavefront propagation algorithms on hybrid
/// CPU-GPU machines, Parallel Computing 39, 2013, section 3.2.
namespace seedwave::gpu {

/// The way in which a block's threads put cells into the block's queue in global memory (the
/// paper's GBQ).
enum class QueueDesign {
  Naive,      // one by one, each with an atomic addition to the queue's length
  PrefixSum,  // a warp's cells with one addition, into a block queue in shared memory (BQ) that is
              // copied out as a whole
  PerThread   // the same, but a thread first fills a short queue of its own (TQ)
};

struct QueueSettings {
  QueueDesign design = QueueDesign::PerThread;
  /// Total capacity of the queues of all blocks, in cells. 0: a tenth more than the initially
  /// active cells, which the paper found sufficient, and at least a few thousand per block.
  std::int64_t room = 0;
  /// Thread blocks per multiprocessor; 0: as many as it holds at once.
  int blocks_per_multiprocessor = 0;
  /// Total number of thread blocks; 0: see above.
  int blocks = 0;
};

/// Statistics of the queues of a run.
struct QueueUse {
  /// Number of cells that were active before the first wave.
  std::int64_t initial = 0;
  /// Number of cells taken from a queue.
  std::int64_t total = 0;
  /// Number of cells dropped for lack of room; another run found them again.
  std::int64_t dropped = 0;
  /// Number of runs until nothing was dropped: 1 if the room was enough, 0 if nothing was active.
  int runs = 0;
};

}  // namespace seedwave::gpu
