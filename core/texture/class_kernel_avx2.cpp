// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/base/avx2.h"
#include "core/texture/class_kernel.h"

#include <cstdint>

#ifdef SEEDWAVE_HAS_AVX2

// clang-format off
#include "core/base/avx2_begin.h"
#include "core/texture/class_kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on
#endif

namespace seedwave::texture {

const ClassKernel& best_class_kernel() {
  return faster_of(SEEDWAVE_IF_AVX2(kKernel), plain_class_kernel());
}

}  // namespace seedwave::texture
