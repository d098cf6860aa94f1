// SPDX-License-Identifier: Apache-2.0
#include "gpu/fuzzy/download.h"

#include "core/parallel/parallel_for.h"
#include "gpu/device/devices.h"
#include "gpu/device/kept.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace seedwave::gpu {

/// Page-locked buffers of one size, as many as were ever wanted at once. Thread-safe.
class PinnedSlots {
 public:
  explicit PinnedSlots(std::int64_t cells) : cells_(cells) {}

  struct Slot {
    explicit Slot(std::int64_t count) : cells(count) {}
    PinnedBuffer<std::uint16_t> cells;
    Event arrived;
  };

  /// A buffer as long as this lives.
  class Loan {
   public:
    explicit Loan(PinnedSlots& slots) : slots_(slots), slot_(slots.take()) {}
    ~Loan() { slots_.give_back(std::move(slot_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Slot* operator->() { return slot_.get(); }

   private:
    PinnedSlots& slots_;
    std::unique_ptr<Slot> slot_;
  };

  [[nodiscard]] bool hold(std::int64_t cells) const { return cells_ >= cells; }

 private:
  [[nodiscard]] std::unique_ptr<Slot> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Slot> slot = std::move(free_.back());
        free_.pop_back();
        return slot;
      }
    }
    return std::make_unique<Slot>(cells_);
  }
  void give_back(std::unique_ptr<Slot> slot) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(slot));
  }

  std::int64_t cells_;
  std::mutex mutex_;  // guards free_
  std::vector<std::unique_ptr<Slot>> free_;
};

namespace {

std::shared_ptr<PinnedSlots> slots_for(std::int64_t cells, Context& context) {
  const std::string name = device_cache_name("pinned", context);
  if (auto kept = context.cache().find<PinnedSlots>(name); kept && kept->hold(cells)) return kept;
  auto fresh = std::make_shared<PinnedSlots>(cells);
  const auto most = static_cast<std::size_t>(cells) * sizeof(std::uint16_t) *
                    static_cast<std::size_t>(std::max(1, context.threads()));
  context.cache().put(name, fresh, most);
  return fresh;
}

/// A block's rows to their places.
void spread(std::span<const std::uint16_t> rows, const RowBlock& block, const Grid& grid,
            std::span<std::uint16_t> cells) {
  const std::int64_t count = (block.y1 - block.y0) * grid.nx;
  for (std::int64_t z = block.z0; z < block.z1; ++z) {
    std::copy_n(rows.begin() + (z - block.z0) * count, count,
                cells.begin() + (block.y0 + grid.ny * z) * grid.nx);
  }
}

}  // namespace

Download::Download(const Grid& grid, Context& context, const Stream& stream)
    : grid_(grid),
      context_(context),
      stream_(stream),
      rows_(most_block_cells(grid), stream),
      slots_(slots_for(most_block_cells(grid), context)) {}

void Download::bring(const Fill& fill, std::span<std::uint16_t> cells) {
  const std::vector<RowBlock> blocks = row_blocks(grid_);
  const auto count = static_cast<std::int64_t>(blocks.size());
  std::mutex order;  // guards the stream: a block's rows are filled and copied with none between
  parallel_for(context_, count, 1, [&](std::int64_t begin, std::int64_t end) {
    use_device(context_.device());
    for (std::int64_t b = begin; b < end; ++b) {
      context_.checkpoint(static_cast<double>(b) / static_cast<double>(count));
      const RowBlock& block = blocks[static_cast<std::size_t>(b)];
      PinnedSlots::Loan slot(*slots_);
      const auto width = static_cast<std::size_t>(grid_.nx) * sizeof(std::uint16_t);
      const auto pitch = static_cast<std::size_t>(grid_.pitch) * sizeof(std::uint16_t);
      {
        const std::lock_guard lock(order);
        fill(block, rows_.data());
        CUDA_CHECK(cudaMemcpy2DAsync(slot->cells.span().data(), width, rows_.data(), pitch, width,
                                     static_cast<std::size_t>(block.rows()), cudaMemcpyDeviceToHost,
                                     stream_.get()));
        slot->arrived.record(stream_);
      }
      slot->arrived.synchronize();
      spread(slot->cells.span(), block, grid_, cells);
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
