// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Looking at, and spoiling, the memory that device buffers come from: for checks and benchmarks.
namespace seedwave::gpu {

/// Takes `bytes` from the device's pool, fills them with 0xA5 and gives them back, so that the next
/// buffers hold anything but zeros. Synchronises. Throws UnavailableError when there are not so
/// many.
void poison_pool(int device, std::int64_t bytes);

/// Forgets the most bytes that were in use, then says how many were since.
void reset_peak_bytes(int device);
[[nodiscard]] std::int64_t peak_bytes(int device);

}  // namespace seedwave::gpu
