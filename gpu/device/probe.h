// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace seedwave::gpu {

/// Checks that this build has code for the current device. Returns cudaErrorNoKernelImageForDevice
/// if not.
[[nodiscard]] cudaError_t probe_kernel_image();

}  // namespace seedwave::gpu
