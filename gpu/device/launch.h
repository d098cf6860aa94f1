// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <limits>

namespace seedwave::gpu {

/// Threads of a block where no kernel shares memory or waits for its block, so that the size only
/// has to fill a multiprocessor; small enough that short launches spread over all of them.
inline constexpr unsigned kBlockSize = 128;

/// Blocks of kBlockSize that cover `threads`. Throws UnavailableError beyond what one launch can
/// hold (2^31 - 1 blocks): such a grid fits no device's memory.
[[nodiscard]] inline unsigned blocks_for(std::int64_t threads) {
  const std::int64_t blocks = (threads + kBlockSize - 1) / kBlockSize;
  if (blocks > std::numeric_limits<std::int32_t>::max()) {
    throw UnavailableError("the image is too large for the GPU: choose a region or the CPU");
  }
  return static_cast<unsigned>(blocks);
}

}  // namespace seedwave::gpu
