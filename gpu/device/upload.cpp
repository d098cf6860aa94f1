// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/upload.h"

#include "core/parallel/parallel_for.h"
#include "gpu/device/landings.h"

#include <algorithm>

namespace seedwave::gpu {
namespace {

constexpr std::int64_t kUploadedAtOnce = std::int64_t{1} << 22;
/// Enqueues the copy of whole rows from host memory.
void send_rows(const std::byte* host, std::byte* first, std::int64_t rows, std::int64_t row,
               std::int64_t pitch, const Stream& stream) {
  CUDA_CHECK(cudaMemcpy2DAsync(first, static_cast<std::size_t>(pitch), host,
                               static_cast<std::size_t>(row), static_cast<std::size_t>(row),
                               static_cast<std::size_t>(rows), cudaMemcpyHostToDevice,
                               stream.get()));
}

}  // namespace

void upload_rows(std::span<const std::byte> host, void* first, std::int64_t row, std::int64_t pitch,
                 Context& context, const Stream& stream) {
  const auto bytes = static_cast<std::int64_t>(host.size());
  if (bytes == 0) return;
  auto* const to = static_cast<std::byte*>(first);
  if (row == pitch) row = pitch = std::min(bytes, kUploadedAtOnce);  // no gaps: any rows will do
  const std::int64_t all = bytes / row;
  const std::int64_t rest = bytes - all * row;
  if (!is_worth_locking(bytes, context)) {
    send_rows(host.data(), to, all, row, pitch, stream);
    if (rest > 0) send_rows(host.data() + all * row, to + all * pitch, 1, rest, rest, stream);
    return;
  }
  const std::int64_t together = std::max<std::int64_t>(1, kUploadedAtOnce / row);
  const auto landings = landings_for(std::min(bytes, together * row), context);
  std::size_t block = 0;
  const auto send = [&](std::int64_t from, std::int64_t rows, std::int64_t length) {
    context.checkpoint(0.0);
    Landings::Place& place = landings->place(block++);
    place.arrived.synchronize();
    std::byte* const landing = place.bytes.span().data();
    parallel_for(context, rows * length, kBytesAThread, [&](std::int64_t begin, std::int64_t end) {
      std::copy(host.data() + from * row + begin, host.data() + from * row + end, landing + begin);
    });
    send_rows(landing, to + from * pitch, rows, length, length == row ? pitch : length, stream);
    place.arrived.record(stream);
  };
  for (std::int64_t from = 0; from < all; from += together)
    send(from, std::min(together, all - from), row);
  if (rest > 0) send(all, 1, rest);
}

}  // namespace seedwave::gpu
