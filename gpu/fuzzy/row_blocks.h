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
  /// Returns the index of a row within the block.
  [[nodiscard]] SEEDWAVE_HD std::int64_t row_of(std::int64_t y, std::int64_t z) const {
    return y - y0 + (y1 - y0) * (z - z0);
  }
  friend bool operator==(const RowBlock&, const RowBlock&) = default;
};

/// Except at the grid's end, the rows and slices of a block are multiples of these, the size of a
/// brick.
inline constexpr std::int64_t kBlockRows = 16;
inline constexpr std::int64_t kBlockSlices = 8;
/// Number of cells of a block, unless a brick's rows have more. It is large enough for a copy at
/// full speed and small enough for the first block to arrive early.
inline constexpr std::int64_t kBlockCells = std::int64_t{1} << 21;

/// Returns the number of rows of every block of a slab but the last.
[[nodiscard]] inline std::int64_t rows_of_a_block(const Grid& grid) {
  const std::int64_t slices = std::min(grid.nz, kBlockSlices);
  const std::int64_t fit = kBlockCells / (grid.pitch * slices) / kBlockRows * kBlockRows;
  return std::min(grid.ny, std::max(kBlockRows, fit));
}

/// Returns the maximum number of cells of a block, padding of rows included.
[[nodiscard]] inline std::int64_t most_block_cells(const Grid& grid) {
  return grid.pitch * rows_of_a_block(grid) * std::min(grid.nz, kBlockSlices);
}

/// Divides a grid into blocks, in the order of its rows as far as blocks allow.
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
