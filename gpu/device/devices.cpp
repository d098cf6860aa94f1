// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/devices.h"

#include "gpu/device/cuda_check.h"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace seedwave::gpu {
namespace {

/// Bytes that a device's pool may keep between runs. Bounded because other programs need memory
/// too.
constexpr std::uint64_t kPoolKeepsBytes = std::uint64_t{2} << 30;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Queries one device and makes it current. Sets `why_none` if the device cannot be used.
void add_device(int number, DeviceList& list) {
  cudaDeviceProp properties{};
  cudaError_t code = cudaGetDeviceProperties(&properties, number);
  if (code == cudaSuccess) code = cudaSetDevice(number);
  if (code == cudaSuccess) code = probe_kernel_image();
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  if (code == cudaSuccess) code = cudaMemGetInfo(&free_bytes, &total_bytes);
  int has_pools = 0;  // buffers come from memory pools
  if (code == cudaSuccess)
    code = cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, number);
  if (code == cudaSuccess && has_pools == 0) code = cudaErrorNotSupported;
  if (code == cudaSuccess) {
    list.devices.push_back({.number = number,
                            .name = properties.name,
                            .total_bytes = static_cast<std::int64_t>(total_bytes),
                            .free_bytes = static_cast<std::int64_t>(free_bytes)});
    return;
  }
  cudaGetLastError();
  const std::string name = properties.name[0] == '\0' ? "the GPU" : properties.name;
  list.why_none = code == cudaErrorNoKernelImageForDevice
                      ? "this build has no code for " + name + " (compute capability " +
                            std::to_string(properties.major) + "." +
                            std::to_string(properties.minor) + ")"
                      : name + " cannot be used: " + cudaGetErrorString(code);
}

}  // namespace

std::string why_no_device(int code) {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
  cudaGetLastError();
  if (driver == 0) return "no NVIDIA driver";
  if (code == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver is too old: it knows CUDA " + version_text(driver) +
           ", this build needs " + version_text(CUDART_VERSION);
  }
  if (code == cudaErrorNoDevice) return "no NVIDIA GPU";
  return std::string("the NVIDIA driver reports: ") +
         cudaGetErrorString(static_cast<cudaError_t>(code));
}

DeviceList list_devices() {
  DeviceList list;
  // Without a driver the count is left unchanged; only the code reports it.
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    cudaGetLastError();
    list.why_none = why_no_device(code);
    return list;
  }
  for (int number = 0; number < count; ++number)
    add_device(number, list);
  if (!list.devices.empty()) {
    use_device(list.devices.front().number);
    list.why_none.clear();
  } else if (list.why_none.empty()) {
    list.why_none = "no NVIDIA GPU";
  }
  return list;
}

std::int64_t shared_bytes_of_block() {
  int device = 0;
  int bytes = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return bytes;
}

void use_device(int number) {
  CUDA_CHECK(cudaSetDevice(number));
  // By default the pool returns its memory to the system at every synchronisation. Allocating it
  // again costs more than a whole run, so the pool may keep what one run needs.
  cudaMemPool_t pool = nullptr;
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, number));
  std::uint64_t keep = kPoolKeepsBytes;
  CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
}

}  // namespace seedwave::gpu
