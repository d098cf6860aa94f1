// SPDX-License-Identifier: Apache-2.0
// Only what stands below the pragmas is built for AVX2. Everything that others could share is
// included before it, or the linker might keep the AVX2 form for all.
#include "core/morphology/distance/kernel.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__x86_64__) && defined(__GNUC__)

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
// Said by hand: the pragma does not define __AVX2__.
#define SEEDWAVE_FOR_AVX2
#include "core/morphology/distance/kernel_body.h"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace seedwave::distance {

const Kernel* avx2_kernel() {
  return __builtin_cpu_supports("avx2") != 0 ? &kKernel : nullptr;
}

#else

namespace seedwave::distance {

const Kernel* avx2_kernel() {
  return nullptr;
}

#endif

const Kernel& best_kernel() {
  const Kernel* avx2 = avx2_kernel();
  return avx2 != nullptr ? *avx2 : plain_kernel();
}

}  // namespace seedwave::distance
