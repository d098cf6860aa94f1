// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"
#include "gpu/device/stream.h"
#include "gpu/fuzzy/grid.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace seedwave::gpu {

/// Enqueues a copy of a host plane without padding; both must stay until the stream has reached it.
template <typename T>
void copy_rows_to_device(std::span<const T> host, const Grid& grid, DeviceBuffer<T>& plane,
                         const Stream& stream) {
  const auto row = static_cast<std::size_t>(grid.nx) * sizeof(T);
  CUDA_CHECK(cudaMemcpy2DAsync(plane.data(), static_cast<std::size_t>(grid.pitch) * sizeof(T),
                               host.data(), row, row, static_cast<std::size_t>(grid.ny * grid.nz),
                               cudaMemcpyHostToDevice, stream.get()));
}

/// Enqueues the copy back, leaving the padding behind.
template <typename T>
void copy_rows_to_host(const DeviceBuffer<T>& plane, const Grid& grid, std::span<T> host,
                       const Stream& stream) {
  const auto row = static_cast<std::size_t>(grid.nx) * sizeof(T);
  CUDA_CHECK(cudaMemcpy2DAsync(
      host.data(), row, plane.data(), static_cast<std::size_t>(grid.pitch) * sizeof(T), row,
      static_cast<std::size_t>(grid.ny * grid.nz), cudaMemcpyDeviceToHost, stream.get()));
}

}  // namespace seedwave::gpu
