// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"

#include <cstdint>

namespace seedwave::gpu {

/// A number in device memory that kernels add to with atomicAdd.
class DeviceCounter {
 public:
  /// Enqueues setting it to zero.
  explicit DeviceCounter(const Stream& stream) : value_(1, stream) { value_.fill_bytes(0, stream); }
  [[nodiscard]] unsigned long long* data() noexcept { return value_.data(); }
  /// Returns the number. Synchronises the stream.
  [[nodiscard]] std::int64_t read(const Stream& stream) const {
    unsigned long long value = 0;
    value_.copy_to({&value, 1}, stream);
    stream.synchronize();
    return static_cast<std::int64_t>(value);
  }

 private:
  DeviceBuffer<unsigned long long> value_;
};

}  // namespace seedwave::gpu
