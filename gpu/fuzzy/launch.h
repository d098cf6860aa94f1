// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "gpu/device/launch.h"
#include "gpu/fuzzy/grid.h"

#include <cstdint>
#include <limits>

namespace seedwave::gpu {

/// Returns the number of vectors of a grid, which must fit 32 bits (68 GB per plane). Throws the
/// same error beyond.
[[nodiscard]] inline std::uint32_t vector_count(const Grid& grid) {
  const std::int64_t vectors = grid.cells() / kVector;
  if (vectors > std::numeric_limits<std::uint32_t>::max() - kBlockSize) {
    throw UnavailableError("the image is too large for the GPU: choose a region or the CPU");
  }
  return static_cast<std::uint32_t>(vectors);
}

}  // namespace seedwave::gpu
