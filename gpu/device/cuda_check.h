// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace seedwave::gpu {

/// Throws for a code that is not success, after clearing the runtime's last error, so that the next
/// call does not report this one again: UnavailableError where the device is not there, has too
/// little memory or cannot run this build's code; DeviceFault for all else.
///
/// The message says in the user's words what happened, and where.
void throw_on_error(cudaError_t code, const char* call,
                    const std::source_location& where = std::source_location::current());

/// The same after a kernel launch. Waits for `stream` in debug builds, so that a fault inside a
/// kernel is reported at its launch; in release builds it does not synchronise.
void check_launch(cudaStream_t stream,
                  const std::source_location& where = std::source_location::current());

}  // namespace seedwave::gpu

/// Around every call of the CUDA runtime.
#define CUDA_CHECK(call) ::seedwave::gpu::throw_on_error((call), #call)
