// SPDX-License-Identifier: Apache-2.0
#include "gpu/fuzzy/run.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace seedwave::gpu {

namespace {

/// Number of cells that a thread copies at once.
constexpr std::int64_t kGrainCells = 1 << 16;

}  // namespace

Download::Download(const Grid& grid, Context& context, const Stream& stream)
    : grid_(grid),
      context_(context),
      stream_(stream),
      rows_(most_block_cells(grid), stream),
      blocks_(most_block_cells(grid) * static_cast<std::int64_t>(sizeof(std::uint16_t)), context,
              stream) {}

void Download::bring(const Fill& fill, std::span<std::uint16_t> cells) {
  const std::vector<RowBlock> blocks = row_blocks(grid_);
  const auto width = static_cast<std::size_t>(grid_.nx) * sizeof(std::uint16_t);
  const auto pitch = static_cast<std::size_t>(grid_.pitch) * sizeof(std::uint16_t);
  blocks_.bring(
      blocks.size(),
      [&](std::size_t b, std::byte* landing) {
        fill(blocks[b], rows_.data());
        CUDA_CHECK(cudaMemcpy2DAsync(landing, width, rows_.data(), pitch, width,
                                     static_cast<std::size_t>(blocks[b].rows()),
                                     cudaMemcpyDeviceToHost, stream_.get()));
      },
      [&](std::size_t b, const std::byte* landing) {
        const auto* rows = reinterpret_cast<const std::uint16_t*>(landing);
        spread({rows, static_cast<std::size_t>(blocks[b].rows() * grid_.nx)}, blocks[b], cells);
      });
}

/// Copies a block's rows to their destination.
void Download::spread(std::span<const std::uint16_t> rows, const RowBlock& block,
                      std::span<std::uint16_t> cells) {
  const std::int64_t height = block.y1 - block.y0;
  const std::int64_t grain = std::max<std::int64_t>(1, kGrainCells / grid_.nx);
  parallel_for(context_, block.rows(), grain, [&](std::int64_t begin, std::int64_t end) {
    // Rows of one slice are contiguous in both.
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
