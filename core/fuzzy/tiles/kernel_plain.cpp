// SPDX-License-Identifier: Apache-2.0
// The kernel is written in terms of Row, which comes first.
// clang-format off
#include "core/fuzzy/tiles/plain_row.h"
#include "core/fuzzy/tiles/kernel_body.h"
// clang-format on

namespace seedwave::fuzzy {

const TileKernel& plain_kernel() {
  static constexpr TileKernel kKernel = make_kernel("plain");
  return kKernel;
}

}  // namespace seedwave::fuzzy
