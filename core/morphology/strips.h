// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <cstdint>

namespace seedwave {

/// Returns the number of rows of a strip, which one thread joins before strips are joined one after
/// the other. Strips of a volume are whole planes, so few rows have neighbours in another strip.
[[nodiscard]] constexpr std::int64_t rows_per_strip(const Index3& size) {
  constexpr std::int64_t kRows = 64;
  constexpr std::int64_t kPlanes = 8;
  return size[2] > 1 ? kPlanes * size[1] : kRows;
}

}  // namespace seedwave
