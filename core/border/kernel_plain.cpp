// SPDX-License-Identifier: Apache-2.0
#include "core/border/kernel_body.h"

namespace seedwave::border {

const Kernel& plain_kernel() {
  return kKernel;
}

}  // namespace seedwave::border
