// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/download.h"

#include "core/parallel/parallel_for.h"
#include "gpu/device/kept.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace seedwave::gpu {

/// Ring of page-locked buffers that blocks arrive in.
struct Landings {
  static constexpr std::size_t kCount = 3;

  struct Place {
    explicit Place(std::int64_t count) : bytes(count) {}
    PinnedBuffer<std::byte> bytes;
    Event arrived;
  };

  explicit Landings(std::int64_t count)
      : bytes(count), places{Place(count), Place(count), Place(count)} {}

  std::int64_t bytes;
  std::array<Place, kCount> places;
};

namespace {

/// Bytes that a thread copies at once.
constexpr std::int64_t kGrainBytes = 1 << 17;
/// Locking memory takes a few ms. That is longer than a pageable copy of kFewBytes, and about as
/// long as one of kFewBytesOnce.
constexpr std::int64_t kFewBytes = 1 << 21;
constexpr std::int64_t kFewBytesOnce = 1 << 25;

/// At most three blocks count as zero in the cache's bound. The bound of slabs is close to zero,
/// and locking memory again at each visit would take longer than the visit.
constexpr std::size_t kNotCounted = 0;

std::string landings_name(const Context& context) {
  return device_cache_name("landings", context);
}

std::shared_ptr<Landings> landings_for(std::int64_t bytes, Context& context) {
  const std::string name = landings_name(context);
  if (auto kept = context.cache().find<Landings>(name); kept && kept->bytes >= bytes) return kept;
  // Rounded up, so that the next result, of a similar size, fits too.
  auto fresh = std::make_shared<Landings>(
      static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes))));
  context.cache().put(name, fresh, kNotCounted);
  return fresh;
}

/// Returns whether a result should come through page-locked memory: if the cache has some, or if it
/// will be used again. After two results of middle size a third is expected.
bool is_worth_locking(std::int64_t bytes, Context& context) {
  struct HadOne {};
  if (context.cache().find<Landings>(landings_name(context))) return true;
  if (bytes <= kFewBytes) return false;
  if (bytes > kFewBytesOnce) return true;
  const std::string name = device_cache_name("downloaded", context);
  if (context.cache().find<HadOne>(name)) return true;
  context.cache().put(name, std::make_shared<HadOne>(), sizeof(HadOne));
  return false;
}

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
  const auto place_of = [&](std::size_t block) -> Landings::Place& {
    return landings_->places[block % Landings::kCount];
  };
  const auto begin = [&](std::size_t block) {
    if (block >= blocks) return;
    send(block, place_of(block).bytes.span().data());
    place_of(block).arrived.record(stream_);
  };
  const WaitsWhenLeft waits{stream_};
  for (std::size_t block = 0; block + 1 < Landings::kCount; ++block)
    begin(block);
  for (std::size_t block = 0; block < blocks; ++block) {
    context_.checkpoint(static_cast<double>(block) / static_cast<double>(blocks));
    begin(block + Landings::kCount - 1);  // its buffer was emptied in the previous turn
    place_of(block).arrived.synchronize();
    take(block, place_of(block).bytes.span().data());
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
            parallel_for(context, parts.size(block), kGrainBytes,
                         [&](std::int64_t begin, std::int64_t end) {
                           std::copy(landing + begin, landing + end,
                                     host.data() + parts.begin(block) + begin);
                         });
          });
}

}  // namespace seedwave::gpu
