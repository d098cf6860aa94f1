// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

/// The memory that device buffers come from: how much there is, and for checks and benchmarks
/// looking at it and spoiling it.
namespace seedwave::gpu {

/// What a run may take of its device: what the context states, else most of what is free or in the
/// pool and not in use. Throws UnavailableError (no such device).
[[nodiscard]] std::int64_t memory_for(const Context& context);

/// What buffers take beyond their sizes, at most, where a run has no more than 32 of them.
inline constexpr std::int64_t kBufferEnds = 32 * 512;

/// Takes `bytes` from the device's pool, fills them with 0xA5 and gives them back, so that the next
/// buffers hold anything but zeros. Synchronises. Throws UnavailableError when there are not so
/// many.
void poison_pool(int device, std::int64_t bytes);

/// Forgets the most bytes that were in use, then says how many were since.
void reset_peak_bytes(int device);
[[nodiscard]] std::int64_t peak_bytes(int device);

/// How many bytes of the device's pool are in use once its work is done.
[[nodiscard]] std::int64_t used_bytes(int device);

/// Holds what there is of a device's memory but `left` bytes in its pool and less than 4 MiB
/// outside.
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
