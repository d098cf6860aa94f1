// SPDX-License-Identifier: Apache-2.0
#include "core/texture/kernel_body.h"

namespace seedwave::texture {

const Kernel& plain_kernel() {
  return kKernel;
}

}  // namespace seedwave::texture
