// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/upload.h"

#include "core/parallel/parallel_for.h"
#include "gpu/device/landings.h"
#include "gpu/device/row_parts.h"

#include <algorithm>

namespace seedwave::gpu {

BlockUpload::BlockUpload(std::int64_t bytes, Context& context, const Stream& stream)
    : context_(context), stream_(stream), landings_(landings_for(bytes, context)) {}

void BlockUpload::send(std::size_t blocks, const Fill& fill, const Send& send) {
  for (std::size_t block = 0; block < blocks; ++block) {
    context_.checkpoint(0.0);
    Landings::Place& place = landings_->place(block);
    place.arrived.synchronize();
    std::byte* const landing = place.bytes.span().data();
    fill(block, landing);
    send(block, landing);
    place.arrived.record(stream_);
  }
}

void upload_rows(std::span<const std::byte> host, void* first, std::int64_t row, std::int64_t pitch,
                 Context& context, const Stream& stream) {
  const auto bytes = static_cast<std::int64_t>(host.size());
  if (bytes == 0) return;
  const RowParts parts(row, pitch, bytes);
  if (!is_worth_locking(bytes, context)) {
    for (std::size_t block = 0; block < parts.count(); ++block)
      parts.send(block, host.data() + parts.begin(block), first, stream);
    return;
  }
  BlockUpload(parts.most(), context, stream)
      .send(
          parts.count(),
          [&](std::size_t block, std::byte* landing) {
            const std::byte* const from = host.data() + parts.begin(block);
            parallel_for(context, parts.size(block), kBytesAThread,
                         [&](std::int64_t begin, std::int64_t end) {
                           std::copy(from + begin, from + end, landing + begin);
                         });
          },
          [&](std::size_t block, const std::byte* landing) {
            parts.send(block, landing, first, stream);
          });
}

}  // namespace seedwave::gpu
