// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/fuzzy/grid.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace seedwave::gpu {

/// Rows y0 .. y1 of slices z0 .. z1 of a grid, the ends excluded; packed, slice after slice.
struct RowBlock {
  std::int64_t y0 = 0;
  std::int64_t y1 = 0;
  std::int64_t z0 = 0;
  std::int64_t z1 = 0;

  [[nodiscard]] SEEDWAVE_HD std::int64_t rows() const { return (y1 - y0) * (z1 - z0); }
  [[nodiscard]] SEEDWAVE_HD bool contains(std::int64_t y, std::int64_t z) const {
    return y >= y0 && y < y1 && z >= z0 && z < z1;
  }
  /// Which of the block's rows that is.
  [[nodiscard]] SEEDWAVE_HD std::int64_t row_of(std::int64_t y, std::int64_t z) const {
    return y - y0 + (y1 - y0) * (z - z0);
  }
  friend bool operator==(const RowBlock&, const RowBlock&) = default;
};

/// Rows and slices of a block are multiples of these but at the grid's end: those of a brick.
inline constexpr std::int64_t kBlockRows = 16;
inline constexpr std::int64_t kBlockSlices = 8;
/// Cells of a block, unless a brick's rows have more: large enough that a copy runs at full speed,
/// small enough that the first arrives early.
inline constexpr std::int64_t kBlockCells = std::int64_t{1} << 21;

/// Rows that every block but the last of a slab has.
[[nodiscard]] inline std::int64_t rows_of_a_block(const Grid& grid) {
  const std::int64_t slices = std::min(grid.nz, kBlockSlices);
  const std::int64_t fit = kBlockCells / (grid.pitch * slices) / kBlockRows * kBlockRows;
  return std::min(grid.ny, std::max(kBlockRows, fit));
}

/// Cells that a block may have, a row's padding included.
[[nodiscard]] inline std::int64_t most_block_cells(const Grid& grid) {
  return grid.pitch * rows_of_a_block(grid) * std::min(grid.nz, kBlockSlices);
}

/// A grid in blocks, in the order of its rows as far as they allow.
[[nodiscard]] inline std::vector<RowBlock> row_blocks(const Grid& grid) {
  std::vector<RowBlock> blocks;
  const std::int64_t rows = rows_of_a_block(grid);
  for (std::int64_t z = 0; z < grid.nz; z += kBlockSlices) {
    for (std::int64_t y = 0; y < grid.ny; y += rows) {
      blocks.push_back({.y0 = y,
                        .y1 = std::min(grid.ny, y + rows),
                        .z0 = z,
                        .z1 = std::min(grid.nz, z + kBlockSlices)});
    }
  }
  return blocks;
}

}  // namespace seedwave::gpu
