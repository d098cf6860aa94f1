// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/fuzzy/grid.h"
#include "gpu/fuzzy/launch.h"

#include <cstdint>

/// Relative connectedness, one label after the other.
namespace seedwave::gpu {

/// Joins one more label's strengths with the best so far, 16 bytes per thread. Equal strengths have
/// no owner. No races.
static __global__ void __launch_bounds__(kBlockSize)
    join_relative_kernel(const U16Vector* __restrict__ strength, std::uint16_t label,
                         std::int64_t vectors, U16Vector* __restrict__ best,
                         U16Vector* __restrict__ owner) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= vectors) return;
  const U16Vector now = strength[i];
  U16Vector most = best[i];
  U16Vector whose = owner[i];
#pragma unroll
  for (int k = 0; k < kVector; ++k) {
    if (now.cell[k] > most.cell[k]) {
      most.cell[k] = now.cell[k];
      whose.cell[k] = label;
    } else if (now.cell[k] == most.cell[k]) {
      whose.cell[k] = 0;  // a tie at the top, until a stronger one comes
    }
  }
  best[i] = most;
  owner[i] = whose;
}

/// Enqueues the join for planes of whole vectors. Any order of cells is allowed.
inline void join_relative(const DeviceBuffer<std::uint16_t>& strength, std::uint16_t label,
                          DeviceBuffer<std::uint16_t>& best, DeviceBuffer<std::uint16_t>& owner,
                          const Stream& stream) {
  const std::int64_t vectors = strength.size() / kVector;
  join_relative_kernel<<<blocks_for(vectors), kBlockSize, 0, stream.get()>>>(
      reinterpret_cast<const U16Vector*>(strength.data()), label, vectors,
      reinterpret_cast<U16Vector*>(best.data()), reinterpret_cast<U16Vector*>(owner.data()));
  check_launch(stream.get());
}

}  // namespace seedwave::gpu
