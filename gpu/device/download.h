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

/// Downloads from a device, block by block. A block is copied into page-locked memory. From there
/// the host threads copy it to its destination while the next block is in flight. Page faults of a
/// fresh result therefore do not stall the bus.
namespace seedwave::gpu {

struct Landings;

/// Bytes of a block: large enough for a copy at full speed, small enough for the first to arrive
/// early.
inline constexpr std::int64_t kBlockBytes = std::int64_t{1} << 22;

/// Downloads blocks of any kind. The page-locked memory stays in the context's cache.
class BlockDownload {
 public:
  /// Blocks have at most `bytes` bytes.
  BlockDownload(std::int64_t bytes, Context& context, const Stream& stream);

  /// Enqueues the copy of a block.
  using Send = std::function<void(std::size_t block, std::byte* landing)>;
  /// Copies a block from page-locked memory to its destination.
  using Take = std::function<void(std::size_t block, const std::byte* landing)>;
  /// Returns after all `blocks` have been taken. Throws Cancelled.
  void bring(std::size_t blocks, const Send& send, const Take& take);

 private:
  Context& context_;
  Stream stream_;
  std::shared_ptr<Landings> landings_;
};

/// Rows in device memory, `pitch` bytes apart.
struct DeviceRows {
  const void* first;
  std::int64_t row;  // bytes
  std::int64_t pitch;
};
/// Fills `host` with a whole number of rows, packed. Returns after they have arrived. Throws
/// Cancelled.
void download_rows(const DeviceRows& rows, std::span<std::byte> host, Context& context,
                   const Stream& stream);

/// Downloads the first cells of a buffer, as above.
template <typename T>
void download(const DeviceBuffer<T>& buffer, std::span<T> host, Context& context,
              const Stream& stream) {
  const auto bytes = static_cast<std::int64_t>(host.size_bytes());
  download_rows({buffer.data(), bytes, bytes}, std::as_writable_bytes(host), context, stream);
}
/// Downloads rows of `row` cells that are `pitch` cells apart on the device, as above.
template <typename T>
void download(const DeviceBuffer<T>& buffer, std::int64_t row, std::int64_t pitch,
              std::span<T> host, Context& context, const Stream& stream) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  download_rows({buffer.data(), row * kBytes, pitch * kBytes}, std::as_writable_bytes(host),
                context, stream);
}

}  // namespace seedwave::gpu
