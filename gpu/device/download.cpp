// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/download.h"

#include "core/parallel/parallel_for.h"
#include "gpu/device/landings.h"
#include "gpu/device/row_parts.h"

#include <algorithm>

namespace seedwave::gpu {

namespace {

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
  const RowParts parts(rows.row, rows.pitch, bytes);
  if (!is_worth_locking(bytes, context)) {
    for (std::size_t block = 0; block < parts.count(); ++block)
      parts.bring(block, rows.first, host.data() + parts.begin(block), stream);
    stream.synchronize();
    return;
  }
  BlockDownload(parts.most(), context, stream)
      .bring(
          parts.count(),
          [&](std::size_t block, std::byte* landing) {
            parts.bring(block, rows.first, landing, stream);
          },
          [&](std::size_t block, const std::byte* landing) {
            parallel_for(context, parts.size(block), kBytesAThread,
                         [&](std::int64_t begin, std::int64_t end) {
                           std::copy(landing + begin, landing + end,
                                     host.data() + parts.begin(block) + begin);
                         });
          });
}

}  // namespace seedwave::gpu
