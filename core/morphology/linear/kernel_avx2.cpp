// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/base/avx2.h"
#include "core/morphology/linear/kernel.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#ifdef SEEDWAVE_HAS_AVX2

// clang-format off
#include "core/base/avx2_begin.h"
#include "core/morphology/linear/kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on
#endif

namespace seedwave::linear {

const KernelSet* avx2_kernels() {
  return SEEDWAVE_IF_AVX2(kKernelSet);
}
const KernelSet& best_kernels() {
  return faster_of(avx2_kernels(), plain_kernels());
}

}  // namespace seedwave::linear
