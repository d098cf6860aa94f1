// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace seedwave::gpu {

/// Throws if `code` is not cudaSuccess. Clears the runtime's last error first, so that the next
/// call does not report it again.
///
/// Throws UnavailableError if the device is missing, has too little memory or cannot run this
/// build's code; DeviceFault otherwise. The message tells the user what happened, and where.
void throw_on_error(cudaError_t code, const char* call,
                    const std::source_location& where = std::source_location::current());

/// Does the same after a kernel launch. Debug builds synchronise `stream`, so that a fault inside a
/// kernel is reported at its launch. Release builds do not synchronise.
void check_launch(cudaStream_t stream,
                  const std::source_location& where = std::source_location::current());

/// Checks that this build has code for the current device. Returns cudaErrorNoKernelImageForDevice
/// if not.
[[nodiscard]] cudaError_t probe_kernel_image();

}  // namespace seedwave::gpu

/// Encloses every call of the CUDA runtime.
#define CUDA_CHECK(call) ::seedwave::gpu::throw_on_error((call), #call)
