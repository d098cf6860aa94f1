// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/kernel_body.h"

namespace seedwave::linear {

const KernelSet& plain_kernels() {
  return kKernelSet;
}

}  // namespace seedwave::linear
