// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/base/avx2.h"
#include "core/filters/kernel.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#ifdef SEEDWAVE_HAS_AVX2

// clang-format off
#include "core/base/avx2_begin.h"
#include "core/filters/kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on
#endif

namespace seedwave::filters {

const Kernel* avx2_kernel() {
  return SEEDWAVE_IF_AVX2(kKernel);
}
const Kernel& best_kernel() {
  return faster_of(avx2_kernel(), plain_kernel());
}

}  // namespace seedwave::filters
