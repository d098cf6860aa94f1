// SPDX-License-Identifier: Apache-2.0
#include "core/filters/kernel_body.h"

namespace seedwave::filters {

const Kernel& plain_kernel() {
  return kKernel;
}

}  // namespace seedwave::filters
