// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace seedwave::gpu {

/// Ring of page-locked buffers through which blocks go from and to a device, while the host's
/// threads copy others of them.
struct Landings {
  static constexpr std::size_t kCount = 3;

  struct Place {
    explicit Place(std::int64_t count) : bytes(count) {}
    PinnedBuffer<std::byte> bytes;
    /// Recorded after the last copy from or to this buffer.
    Event arrived;
  };

  explicit Landings(std::int64_t count)
      : bytes(count), places{Place(count), Place(count), Place(count)} {}

  [[nodiscard]] Place& place(std::size_t block) { return places[block % kCount]; }

  std::int64_t bytes;
  std::array<Place, kCount> places;
};

/// Bytes that a thread copies at once from or to a buffer.
inline constexpr std::int64_t kBytesAThread = 1 << 17;

/// Returns those of the context's cache, with buffers of at least `bytes`, which one run at a time
/// uses.
[[nodiscard]] std::shared_ptr<Landings> landings_for(std::int64_t bytes, Context& context);

/// Returns whether so many bytes should go through page-locked memory: if the cache has some, or if
/// it will be used again.
[[nodiscard]] bool is_worth_locking(std::int64_t bytes, Context& context);

}  // namespace seedwave::gpu
