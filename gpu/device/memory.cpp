// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/memory.h"

#include "core/base/error.h"
#include "gpu/device/buffer.h"
#include "gpu/device/devices.h"
#include "gpu/device/stream.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace seedwave::gpu {
namespace {

constexpr int kPoison = 0xA5;
/// Denominator of the share of free memory that is left unused. The pool allocates in larger
/// pieces, and the display takes some.
constexpr std::int64_t kLeftToOthers = 16;
/// Size of the smallest piece that fills a device.
constexpr std::size_t kLeastPiece = std::size_t{2} << 20;

cudaMemPool_t pool_of(int device) {
  use_device(device);
  cudaMemPool_t pool = nullptr;
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  return pool;
}

/// Returns the least ask(device) of the devices of the context's workers. One that cannot be asked
/// does not count: its worker fails at its first part. Throws UnavailableError if none can.
template <typename Ask>
std::int64_t least_on_devices(const Context& context, const Ask& ask) {
  std::optional<std::int64_t> least;
  std::optional<UnavailableError> failure;
  for (const Worker& worker : context.workers()) {
    if (worker.device == kCpu) continue;
    try {
      const std::int64_t here = ask(worker.device);
      least = std::min(least.value_or(here), here);
    } catch (const UnavailableError& error) {
      failure = error;
    }
  }
  if (!least && failure) throw *failure;
  return least.value_or(std::numeric_limits<std::int64_t>::max());
}

}  // namespace

std::int64_t memory_for(const Context& context) {
  if (context.memory() > 0) return context.memory();
  cudaMemPool_t pool = pool_of(context.device());
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  const auto there = static_cast<std::int64_t>(free_bytes + reserved - used);
  return there - there / kLeftToOthers;
}

std::int64_t memory_for_each(const Context& context) {
  if (context.sharers() == 1) return memory_for(context);
  return least_on_devices(context, [&](int device) {
    const auto same = std::ranges::count(context.workers(), device, &Worker::device);
    return memory_for(Context({.device = device, .memory = context.memory()})) / same;
  });
}

std::int64_t shared_bytes_for_each(const Context& context) {
  const auto shared_bytes_on = [](int device) {
    use_device(device);
    return shared_bytes_of_block();
  };
  if (context.sharers() == 1) return shared_bytes_on(context.device());
  return least_on_devices(context, shared_bytes_on);
}

void poison_pool(int device, std::int64_t bytes) {
  use_device(device);
  const Stream stream;
  {
    DeviceBuffer<std::uint8_t> taken(bytes, stream);
    taken.fill_bytes(kPoison, stream);
  }
  stream.synchronize();
}

void reset_peak_bytes(int device) {
  std::uint64_t zero = 0;
  CUDA_CHECK(cudaMemPoolSetAttribute(pool_of(device), cudaMemPoolAttrUsedMemHigh, &zero));
}

std::int64_t peak_bytes(int device) {
  std::uint64_t bytes = 0;
  CUDA_CHECK(cudaMemPoolGetAttribute(pool_of(device), cudaMemPoolAttrUsedMemHigh, &bytes));
  return static_cast<std::int64_t>(bytes);
}

std::int64_t used_bytes(int device) {
  cudaMemPool_t pool = pool_of(device);
  CUDA_CHECK(cudaDeviceSynchronize());
  std::uint64_t bytes = 0;
  CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
  return static_cast<std::int64_t>(bytes);
}

FullDevice::FullDevice(int device, std::int64_t left) {
  cudaMemPool_t pool = pool_of(device);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemPoolTrimTo(pool, 0));
  const Stream stream;
  // Stays in the pool after it is freed.
  const DeviceBuffer<std::uint8_t> room(left, stream);
  stream.synchronize();
  const auto take_all = [this](const auto& take) {
    for (std::size_t bytes = std::size_t{1} << 40; bytes >= kLeastPiece;) {
      void* piece = nullptr;
      if (take(&piece, bytes) == cudaSuccess) {
        taken_.push_back(piece);
      } else {
        cudaGetLastError();
        bytes /= 2;
      }
    }
  };
  take_all([](void** piece, std::size_t bytes) { return cudaMalloc(piece, bytes); });
  // Fills what the pool reserved beyond the request.
  take_all(
      [&](void** piece, std::size_t bytes) { return cudaMallocAsync(piece, bytes, stream.get()); });
  stream.synchronize();
}

FullDevice::~FullDevice() {
  for (void* piece : taken_)
    cudaFree(piece);
}

}  // namespace seedwave::gpu
