// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/stream.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

/// Uploads of whole images, block by block: the host's threads copy a block into page-locked memory
/// while others are in flight. From memory that is not locked the driver copies with one thread.
namespace seedwave::gpu {

struct Landings;

/// Uploads blocks of any kind. The page-locked memory stays in the context's cache.
class BlockUpload {
 public:
  /// Blocks have at most `bytes` bytes.
  BlockUpload(std::int64_t bytes, Context& context, const Stream& stream);

  /// Copies a block into page-locked memory.
  using Fill = std::function<void(std::size_t block, std::byte* landing)>;
  /// Enqueues the copy of a block to the device.
  using Send = std::function<void(std::size_t block, const std::byte* landing)>;
  /// Enqueues all `blocks`. Throws Cancelled.
  void send(std::size_t blocks, const Fill& fill, const Send& send);

 private:
  Context& context_;
  Stream stream_;
  std::shared_ptr<Landings> landings_;
};

/// Fills rows of `row` bytes, `pitch` bytes apart in device memory, with those of `host`, packed.
/// Enqueues the last blocks: `host` must stay valid until the stream has reached them. Throws
/// Cancelled.
void upload_rows(std::span<const std::byte> host, void* first, std::int64_t row, std::int64_t pitch,
                 Context& context, const Stream& stream);

/// Uploads into the first cells of a buffer, as above.
template <typename T>
void upload(std::span<const T> host, DeviceBuffer<T>& buffer, Context& context,
            const Stream& stream) {
  const auto bytes = static_cast<std::int64_t>(host.size_bytes());
  upload_rows(std::as_bytes(host), buffer.data(), bytes, bytes, context, stream);
}
/// Uploads rows of `row` cells that are `pitch` cells apart on the device, as above.
template <typename T>
void upload(std::span<const T> host, DeviceBuffer<T>& buffer, std::int64_t row, std::int64_t pitch,
            Context& context, const Stream& stream) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  upload_rows(std::as_bytes(host), buffer.data(), row * kBytes, pitch * kBytes, context, stream);
}

}  // namespace seedwave::gpu
