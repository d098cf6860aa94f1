// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/download.h"

#include "core/parallel/parallel_for.h"
#include "gpu/device/landings.h"

#include <algorithm>

namespace seedwave::gpu {

namespace {

/// The rows of each block, or the parts of a single contiguous row.
class RowParts {
 public:
  RowParts(const DeviceRows& rows, std::int64_t bytes) : rows_(rows), bytes_(bytes) {
    // Rows without gaps are contiguous.
    if (rows_.row == rows_.pitch) rows_.row = rows_.pitch = std::min(bytes, kBlockBytes);
    in_block_ = std::max<std::int64_t>(1, kBlockBytes / rows_.row) * rows_.row;
  }
  /// Size of the largest block in bytes.
  [[nodiscard]] std::int64_t most() const { return std::min(in_block_, bytes_); }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>((bytes_ + in_block_ - 1) / in_block_);
  }
  [[nodiscard]] std::int64_t begin(std::size_t block) const {
    return static_cast<std::int64_t>(block) * in_block_;
  }
  [[nodiscard]] std::int64_t size(std::size_t block) const {
    return std::min(in_block_, bytes_ - begin(block));
  }
  /// Enqueues the copy of a block.
  void send(std::size_t block, void* to, const Stream& stream) const {
    const auto* from = static_cast<const std::byte*>(rows_.first);
    if (rows_.row == rows_.pitch) {
      CUDA_CHECK(cudaMemcpyAsync(to, from + begin(block), static_cast<std::size_t>(size(block)),
                                 cudaMemcpyDeviceToHost, stream.get()));
      return;
    }
    const auto row = static_cast<std::size_t>(rows_.row);
    CUDA_CHECK(cudaMemcpy2DAsync(to, row, from + begin(block) / rows_.row * rows_.pitch,
                                 static_cast<std::size_t>(rows_.pitch), row,
                                 static_cast<std::size_t>(size(block) / rows_.row),
                                 cudaMemcpyDeviceToHost, stream.get()));
  }

 private:
  DeviceRows rows_;
  std::int64_t bytes_;
  std::int64_t in_block_;
};

/// Waits for the stream however a download ends. No copy is then under way to a buffer that the
/// next download uses.
struct WaitsWhenLeft {
  const Stream& stream;
  ~WaitsWhenLeft() { stream.drain(); }
};

}  // namespace

BlockDownload::BlockDownload(std::int64_t bytes, Context& context, const Stream& stream)
    : context_(context), stream_(stream), landings_(landings_for(bytes, context)) {}

void BlockDownload::bring(std::size_t blocks, const Send& send, const Take& take) {
  const auto begin = [&](std::size_t block) {
    if (block >= blocks) return;
    send(block, landings_->place(block).bytes.span().data());
    landings_->place(block).arrived.record(stream_);
  };
  const WaitsWhenLeft waits{stream_};
  for (std::size_t block = 0; block + 1 < Landings::kCount; ++block)
    begin(block);
  for (std::size_t block = 0; block < blocks; ++block) {
    context_.checkpoint(static_cast<double>(block) / static_cast<double>(blocks));
    begin(block + Landings::kCount - 1);  // its buffer was emptied in the previous turn
    landings_->place(block).arrived.synchronize();
    take(block, landings_->place(block).bytes.span().data());
  }
}

void download_rows(const DeviceRows& rows, std::span<std::byte> host, Context& context,
                   const Stream& stream) {
  const auto bytes = static_cast<std::int64_t>(host.size());
  if (bytes == 0) return;
  const RowParts parts(rows, bytes);
  if (!is_worth_locking(bytes, context)) {
    for (std::size_t block = 0; block < parts.count(); ++block)
      parts.send(block, host.data() + parts.begin(block), stream);
    stream.synchronize();
    return;
  }
  BlockDownload(parts.most(), context, stream)
      .bring(
          parts.count(),
          [&](std::size_t block, std::byte* landing) { parts.send(block, landing, stream); },
          [&](std::size_t block, const std::byte* landing) {
            parallel_for(context, parts.size(block), kBytesAThread,
                         [&](std::int64_t begin, std::int64_t end) {
                           std::copy(landing + begin, landing + end,
                                     host.data() + parts.begin(block) + begin);
                         });
          });
}

}  // namespace seedwave::gpu
