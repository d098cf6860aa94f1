// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/product_kernel_body.h"

namespace seedwave::texture {

const ProductKernel& plain_product_kernel() {
  return kKernel;
}

}  // namespace seedwave::texture
