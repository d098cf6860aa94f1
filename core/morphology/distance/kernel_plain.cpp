// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/distance/kernel_body.h"

namespace seedwave::distance {

const Kernel& plain_kernel() {
  return kKernel;
}

}  // namespace seedwave::distance
