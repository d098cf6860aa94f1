// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda_check.h"

namespace seedwave::gpu {
namespace {

/// Does nothing. It represents all kernels, which are built for the same architectures.
__global__ void probe_kernel() {}

}  // namespace

cudaError_t probe_kernel_image() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, probe_kernel);
}

}  // namespace seedwave::gpu
