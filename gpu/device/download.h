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

/// The way back from a device, block by block: a block is copied into page-locked memory, and from
/// there the threads take it to where it belongs while the next one is on its way. So the fresh
/// pages of a result do not hold up the bus.
namespace seedwave::gpu {

struct Landings;

/// Bytes of a block: so many that a copy runs at full speed, so few that the first arrives early.
inline constexpr std::int64_t kBlockBytes = std::int64_t{1} << 22;

/// Blocks of any kind. The page-locked memory stays in the context's cache.
class BlockDownload {
 public:
  /// No block is larger than `bytes`.
  BlockDownload(std::int64_t bytes, Context& context, const Stream& stream);

  /// Enqueues the copy of a block.
  using Send = std::function<void(std::size_t block, std::byte* landing)>;
  /// Takes it from there.
  using Take = std::function<void(std::size_t block, const std::byte* landing)>;
  /// When it returns all `blocks` have been taken. Throws Cancelled.
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
/// Fills `host` with rows, packed, a whole number of them. When it returns they have arrived.
/// Throws Cancelled.
void download_rows(const DeviceRows& rows, std::span<std::byte> host, Context& context,
                   const Stream& stream);

/// The first cells of a buffer. As above.
template <typename T>
void download(const DeviceBuffer<T>& buffer, std::span<T> host, Context& context,
              const Stream& stream) {
  const auto bytes = static_cast<std::int64_t>(host.size_bytes());
  download_rows({buffer.data(), bytes, bytes}, std::as_writable_bytes(host), context, stream);
}
/// Rows of `row` cells that are `pitch` cells apart there. As above.
template <typename T>
void download(const DeviceBuffer<T>& buffer, std::int64_t row, std::int64_t pitch,
              std::span<T> host, Context& context, const Stream& stream) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  download_rows({buffer.data(), row * kBytes, pitch * kBytes}, std::as_writable_bytes(host),
                context, stream);
}

}  // namespace seedwave::gpu
