// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <cstdint>

namespace seedwave::linear {

/// Bytes of a cache line.
inline constexpr std::int64_t kLineBytes = 64;

/// Cells in memory: x without gaps.
template <typename Cell>
struct CellGrid {
  const Cell* from;
  Cell* to;  // may be the same
  Index3 size;
  std::int64_t row;    // from one row to the next
  std::int64_t plane;  // from one plane to the next
};

}  // namespace seedwave::linear
