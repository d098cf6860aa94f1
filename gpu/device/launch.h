// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <limits>

namespace seedwave::gpu {

/// Threads per block of kernels without shared memory or block-wide barriers. The size only has to
/// fill a multiprocessor; it is small enough for short launches to spread over all of them.
inline constexpr unsigned kBlockSize = 128;

/// Returns the number of blocks of kBlockSize that cover `threads`. Throws UnavailableError above
/// 2^31 - 1 blocks, the limit of one launch; no device has memory for such a grid.
[[nodiscard]] inline unsigned blocks_for(std::int64_t threads) {
  const std::int64_t blocks = (threads + kBlockSize - 1) / kBlockSize;
  if (blocks > std::numeric_limits<std::int32_t>::max()) {
    throw UnavailableError("the image is too large for the GPU: choose a region or the CPU");
  }
  return static_cast<unsigned>(blocks);
}

}  // namespace seedwave::gpu
