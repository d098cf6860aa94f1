// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/download.h"
#include "gpu/device/stream.h"
#include "gpu/fuzzy/grid.h"
#include "gpu/fuzzy/row_blocks.h"

#include <cstdint>
#include <functional>
#include <span>

namespace seedwave::gpu {

/// Downloads a plane of cells. The device writes a block's rows, which BlockDownload then brings.
/// The plane's layout on the device therefore does not stall the bus, and no plane of rows is
/// needed.
class Download {
 public:
  Download(const Grid& grid, Context& context, const Stream& stream);

  /// Enqueues writing the cells of a block's rows, `grid.pitch` apart, to device memory.
  using Fill = std::function<void(const RowBlock& block, std::uint16_t* rows)>;
  /// Fills `cells`, without padding. Returns after all have arrived. Throws Cancelled.
  void bring(const Fill& fill, std::span<std::uint16_t> cells);

 private:
  void spread(std::span<const std::uint16_t> rows, const RowBlock& block,
              std::span<std::uint16_t> cells);

  Grid grid_;
  Context& context_;
  Stream stream_;
  DeviceBuffer<std::uint16_t> rows_;
  BlockDownload blocks_;
};

/// Brings the rows of a plane that is stored on the device in grid layout.
[[nodiscard]] Download::Fill rows_of_plane(const DeviceBuffer<std::uint16_t>& plane,
                                           const Grid& grid, const Stream& stream);

}  // namespace seedwave::gpu
