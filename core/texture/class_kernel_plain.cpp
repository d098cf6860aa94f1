// SPDX-License-Identifier: Apache-2.0
#include "core/texture/class_kernel_body.h"

namespace seedwave::texture {

const ClassKernel& plain_class_kernel() {
  return kKernel;
}

}  // namespace seedwave::texture
