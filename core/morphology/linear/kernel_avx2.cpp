// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/morphology/linear/kernel.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__)

// clang-format off
#include "core/base/avx2_begin.h"
#include "core/morphology/linear/kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on

namespace seedwave::linear {

const KernelSet* avx2_kernels() {
  return __builtin_cpu_supports("avx2") != 0 ? &kKernelSet : nullptr;
}

#else

namespace seedwave::linear {

const KernelSet* avx2_kernels() {
  return nullptr;
}

#endif

const KernelSet& best_kernels() {
  const KernelSet* avx2 = avx2_kernels();
  return avx2 != nullptr ? *avx2 : plain_kernels();
}

}  // namespace seedwave::linear
