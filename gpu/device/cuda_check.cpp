// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda_check.h"

#include "core/base/error.h"
#include "gpu/device/devices.h"

#include <string>
#include <string_view>

namespace seedwave::gpu {
namespace {

/// Returns the name of a source file without the path of the machine it was built on.
std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// Returns the reason if the cause lies in the machine, not in the request; empty otherwise.
std::string why_unavailable(cudaError_t code) {
  switch (code) {
    case cudaErrorMemoryAllocation:
      return "the GPU has not enough free memory for this: choose a smaller region or the CPU";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
      return why_no_device(code);
    case cudaErrorInvalidDevice:
      return "there is no GPU with that number";
    case cudaErrorDevicesUnavailable:
      return "another program has the GPU to itself";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidPtx:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
      return "this build has no code for this GPU's architecture";
    default:
      return {};
  }
}

}  // namespace

void throw_on_error(cudaError_t code, const char* call, const std::source_location& where) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  const std::string origin = std::string(" [") + cudaGetErrorName(code) + " from " + call + ", " +
                             std::string(base_name(where.file_name())) + ":" +
                             std::to_string(where.line()) + "]";
  const std::string why = why_unavailable(code);
  if (!why.empty()) throw UnavailableError(why + origin);
  throw DeviceFault(std::string("the GPU failed (") + cudaGetErrorString(code) +
                    "): start the program again, or choose the CPU" + origin);
}

void check_launch(cudaStream_t stream, const std::source_location& where) {
  throw_on_error(cudaGetLastError(), "kernel launch", where);
#ifndef NDEBUG
  throw_on_error(cudaStreamSynchronize(stream), "kernel", where);
#else
  static_cast<void>(stream);
#endif
}

}  // namespace seedwave::gpu
