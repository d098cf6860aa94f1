// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/filters/kernel.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__x86_64__) && defined(__GNUC__)

// clang-format off
#include "core/base/avx2_begin.h"
#include "core/filters/kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on

namespace seedwave::filters {

const Kernel* avx2_kernel() {
  return __builtin_cpu_supports("avx2") != 0 ? &kKernel : nullptr;
}

#else

namespace seedwave::filters {

const Kernel* avx2_kernel() {
  return nullptr;
}

#endif

const Kernel& best_kernel() {
  const Kernel* avx2 = avx2_kernel();
  return avx2 != nullptr ? *avx2 : plain_kernel();
}

}  // namespace seedwave::filters
