// SPDX-License-Identifier: Apache-2.0
#include "gpu/fuzzy/download.h"

#include "core/parallel/parallel_for.h"
#include "gpu/device/kept.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace seedwave::gpu {

/// Where blocks arrive, by turns.
struct Landings {
  static constexpr std::size_t kCount = 3;

  struct Place {
    explicit Place(std::int64_t count) : cells(count) {}
    PinnedBuffer<std::uint16_t> cells;
    Event arrived;
  };

  explicit Landings(std::int64_t count)
      : cells(count), places{Place(count), Place(count), Place(count)} {}

  std::int64_t cells;
  std::array<Place, kCount> places;
};

namespace {

/// Rows that a thread takes at once.
constexpr std::int64_t kGrainCells = 1 << 16;

std::shared_ptr<Landings> landings_for(std::int64_t cells, Context& context) {
  const std::string name = device_cache_name("landings", context);
  if (auto kept = context.cache().find<Landings>(name); kept && kept->cells >= cells) return kept;
  auto fresh = std::make_shared<Landings>(cells);
  context.cache().put(name, fresh,
                      Landings::kCount * static_cast<std::size_t>(cells) * sizeof(std::uint16_t));
  return fresh;
}

}  // namespace

Download::Download(const Grid& grid, Context& context, const Stream& stream)
    : grid_(grid),
      context_(context),
      stream_(stream),
      rows_(most_block_cells(grid), stream),
      landings_(landings_for(most_block_cells(grid), context)) {}

void Download::bring(const Fill& fill, std::span<std::uint16_t> cells) {
  const std::vector<RowBlock> blocks = row_blocks(grid_);
  const auto send = [&](std::size_t b) {
    if (b >= blocks.size()) return;
    Landings::Place& place = landings_->places[b % Landings::kCount];
    fill(blocks[b], rows_.data());
    const auto width = static_cast<std::size_t>(grid_.nx) * sizeof(std::uint16_t);
    const auto pitch = static_cast<std::size_t>(grid_.pitch) * sizeof(std::uint16_t);
    CUDA_CHECK(cudaMemcpy2DAsync(place.cells.span().data(), width, rows_.data(), pitch, width,
                                 static_cast<std::size_t>(blocks[b].rows()), cudaMemcpyDeviceToHost,
                                 stream_.get()));
    place.arrived.record(stream_);
  };
  for (std::size_t b = 0; b + 1 < Landings::kCount; ++b)
    send(b);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    context_.checkpoint(static_cast<double>(b) / static_cast<double>(blocks.size()));
    send(b + Landings::kCount - 1);  // its place was emptied in the turn before
    Landings::Place& place = landings_->places[b % Landings::kCount];
    place.arrived.synchronize();
    spread(place.cells.span(), blocks[b], cells);
  }
}

/// A block's rows to their places.
void Download::spread(std::span<const std::uint16_t> rows, const RowBlock& block,
                      std::span<std::uint16_t> cells) {
  const std::int64_t height = block.y1 - block.y0;
  const std::int64_t grain = std::max<std::int64_t>(1, kGrainCells / grid_.nx);
  parallel_for(context_, block.rows(), grain, [&](std::int64_t begin, std::int64_t end) {
    // Rows of one slice lie together in both.
    while (begin < end) {
      const std::int64_t z = begin / height;
      const std::int64_t next = std::min(end, (z + 1) * height);
      const std::int64_t to = block.y0 + begin - z * height + grid_.ny * (block.z0 + z);
      std::copy_n(rows.begin() + begin * grid_.nx, (next - begin) * grid_.nx,
                  cells.begin() + to * grid_.nx);
      begin = next;
    }
  });
}

Download::Fill rows_of_plane(const DeviceBuffer<std::uint16_t>& plane, const Grid& grid,
                             const Stream& stream) {
  return [&plane, grid, stream](const RowBlock& block, std::uint16_t* rows) {
    const std::int64_t count = (block.y1 - block.y0) * grid.pitch;
    for (std::int64_t z = block.z0; z < block.z1; ++z) {
      CUDA_CHECK(cudaMemcpyAsync(rows + (z - block.z0) * count,
                                 plane.data() + grid.offset(0, block.y0, z),
                                 static_cast<std::size_t>(count) * sizeof(std::uint16_t),
                                 cudaMemcpyDeviceToDevice, stream.get()));
    }
  };
}

}  // namespace seedwave::gpu
