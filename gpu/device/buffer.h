// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda_check.h"
#include "gpu/device/stream.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave::gpu {

/// Device memory with one owner, *uninitialised*, from the device's stream-ordered pool.
///
/// Allocated and freed in stream order; neither call synchronises. Wait for work on other streams
/// before the buffer is destroyed.
template <typename T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  /// Throws UnavailableError if the device has too little memory.
  DeviceBuffer(std::int64_t size, const Stream& stream) : stream_(stream), size_(size) {
    if (size > 0)
      CUDA_CHECK(cudaMallocAsync(reinterpret_cast<void**>(&first_), bytes(), stream.get()));
  }
  ~DeviceBuffer() { release(); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    DeviceBuffer taken(std::move(other));
    swap(taken);
    return *this;
  }

  [[nodiscard]] T* data() noexcept { return first_; }
  [[nodiscard]] const T* data() const noexcept { return first_; }
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return static_cast<std::size_t>(size_) * sizeof(T);
  }

  /// Enqueues a copy from host memory, which must stay valid until the stream has reached it.
  void copy_from(std::span<const T> host, const Stream& stream) {
    CUDA_CHECK(cudaMemcpyAsync(first_, host.data(), host.size_bytes(), cudaMemcpyHostToDevice,
                               stream.get()));
  }
  /// Enqueues a copy of the first cells to host memory, which must stay valid until the stream has
  /// reached it.
  void copy_to(std::span<T> host, const Stream& stream) const {
    CUDA_CHECK(cudaMemcpyAsync(host.data(), first_, host.size_bytes(), cudaMemcpyDeviceToHost,
                               stream.get()));
  }
  /// Enqueues a copy of rows of `row` cells, packed on the host and `pitch` cells apart on the
  /// device.
  void copy_rows_from(std::span<const T> host, std::int64_t row, std::int64_t pitch,
                      const Stream& stream) {
    const Rows rows(host.size(), row, pitch);
    if (rows.count == 0) return;
    CUDA_CHECK(cudaMemcpy2DAsync(first_, rows.pitch_bytes, host.data(), rows.row_bytes,
                                 rows.row_bytes, rows.count, cudaMemcpyHostToDevice, stream.get()));
  }
  void fill_bytes(int byte, const Stream& stream) {
    if (size_ > 0) CUDA_CHECK(cudaMemsetAsync(first_, byte, bytes(), stream.get()));
  }

 private:
  struct Rows {
    Rows(std::size_t cells, std::int64_t row, std::int64_t pitch)
        : row_bytes(static_cast<std::size_t>(row) * sizeof(T)),
          pitch_bytes(static_cast<std::size_t>(pitch) * sizeof(T)),
          count(row > 0 ? cells / static_cast<std::size_t>(row) : 0) {}
    std::size_t row_bytes;
    std::size_t pitch_bytes;
    std::size_t count;
  };
  void swap(DeviceBuffer& other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(first_, other.first_);
    std::swap(size_, other.size_);
  }
  void release() noexcept {
    if (first_ != nullptr) cudaFreeAsync(first_, stream_.get());
    first_ = nullptr;
  }

  Stream stream_{Stream::None{}};
  T* first_ = nullptr;
  std::int64_t size_ = 0;
};

/// Returns a buffer of the size of `host` and enqueues its upload; see copy_from().
template <typename T>
[[nodiscard]] DeviceBuffer<T> uploaded(const std::vector<T>& host, const Stream& stream) {
  DeviceBuffer<T> buffer(std::ssize(host), stream);
  if (!host.empty()) buffer.copy_from(host, stream);
  return buffer;
}

/// Page-locked host memory. Copies from and to it run at full speed and concurrently with the host.
template <typename T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit PinnedBuffer(std::int64_t size) : size_(size) {
    if (size > 0) {
      CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&first_),
                                static_cast<std::size_t>(size) * sizeof(T)));
    }
  }
  ~PinnedBuffer() {
    if (first_ != nullptr) cudaFreeHost(first_);
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&&) = delete;

  [[nodiscard]] std::span<T> span() noexcept { return {first_, static_cast<std::size_t>(size_)}; }
  [[nodiscard]] std::span<const T> span() const noexcept {
    return {first_, static_cast<std::size_t>(size_)};
  }

 private:
  T* first_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace seedwave::gpu
