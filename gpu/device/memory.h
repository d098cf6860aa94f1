// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

/// The memory that device buffers come from: its size and, for checks and benchmarks, functions
/// that inspect and overwrite it.
namespace seedwave::gpu {

/// Returns the bytes that a run may use on its device: the context's limit or, without one, most of
/// the memory that is free or unused in the pool. Throws UnavailableError if there is no such
/// device.
[[nodiscard]] std::int64_t memory_for(const Context& context);

/// Returns the bytes that each of the context's workers on devices may use: the least of what the
/// devices have, divided among the workers of the same one. A device that is not there does not
/// count. Without workers as memory_for(). Throws UnavailableError if there is none.
[[nodiscard]] std::int64_t memory_for_each(const Context& context);

/// Returns the shared memory of a block on the devices of the context's workers: the least of what
/// they have. A device that is not there does not count. Without workers that of the context's
/// device. Throws UnavailableError if there is none.
[[nodiscard]] std::int64_t shared_bytes_for_each(const Context& context);

/// Upper bound on the bytes that buffers take beyond their sizes, for a run with at most 32
/// buffers.
inline constexpr std::int64_t kBufferEnds = 32 * 512;

/// Allocates `bytes` from the device's pool, fills them with 0xA5 and frees them, so that the next
/// buffers are not zero by chance. Synchronises. Throws UnavailableError if the device has fewer
/// bytes.
void poison_pool(int device, std::int64_t bytes);

/// Resets the peak of the bytes in use; peak_bytes() returns the peak since then.
void reset_peak_bytes(int device);
[[nodiscard]] std::int64_t peak_bytes(int device);

/// Returns the bytes of the device's pool that are in use once its work is done.
[[nodiscard]] std::int64_t used_bytes(int device);

/// Occupies all of a device's memory except `left` bytes in its pool and less than 4 MiB outside
/// it.
class FullDevice {
 public:
  FullDevice(int device, std::int64_t left);
  ~FullDevice();
  FullDevice(const FullDevice&) = delete;
  FullDevice& operator=(const FullDevice&) = delete;

 private:
  std::vector<void*> taken_;
};

}  // namespace seedwave::gpu
