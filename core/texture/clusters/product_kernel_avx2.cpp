// SPDX-License-Identifier: Apache-2.0
// Includes everything shared with other files before avx2_begin.h, which gives the reason.
#include "core/texture/clusters/product_kernel.h"

#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)

// clang-format off
#include "core/base/avx2_begin.h"
#include "core/texture/clusters/product_kernel_body.h"
#include "core/base/avx2_end.h"
// clang-format on

namespace seedwave::texture {

const ProductKernel& best_product_kernel() {
  return __builtin_cpu_supports("avx2") != 0 ? kKernel : plain_product_kernel();
}

}  // namespace seedwave::texture

#else

namespace seedwave::texture {

const ProductKernel& best_product_kernel() {
  return plain_product_kernel();
}

}  // namespace seedwave::texture

#endif
