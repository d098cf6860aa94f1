// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <cstdint>

namespace seedwave {

/// Rows of a strip that a thread joins by itself, before strips are joined one after the other: of
/// a volume whole planes, so that few rows have neighbours in another strip.
[[nodiscard]] constexpr std::int64_t rows_per_strip(const Index3& size) {
  constexpr std::int64_t kRows = 64;
  constexpr std::int64_t kPlanes = 8;
  return size[2] > 1 ? kPlanes * size[1] : kRows;
}

}  // namespace seedwave
