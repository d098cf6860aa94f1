// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/fuzzy/kappa.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/wavefront/strength_rules.h"

#include <bit>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

// The kernel is written in terms of Row, which comes first.
// clang-format off
#include "core/base/avx2_begin.h"
#ifndef __clang__
// Otherwise loading 16 rows into registers would become a copy in memory first.
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif
#include "core/fuzzy/tiles/avx2_row.h"
#include "core/fuzzy/tiles/kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on

namespace seedwave::fuzzy {

const TileKernel* avx2_kernel() {
  static constexpr TileKernel kKernel = make_kernel("avx2");
  return __builtin_cpu_supports("avx2") != 0 ? &kKernel : nullptr;
}

}  // namespace seedwave::fuzzy
#else
namespace seedwave::fuzzy {

const TileKernel* avx2_kernel() {
  return nullptr;
}

}  // namespace seedwave::fuzzy
#endif

namespace seedwave::fuzzy {

const TileKernel& best_kernel() {
  const TileKernel* avx2 = avx2_kernel();
  return avx2 != nullptr ? *avx2 : plain_kernel();
}

}  // namespace seedwave::fuzzy
