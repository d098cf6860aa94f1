// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/image/geometry.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace seedwave::linear {

/// Bytes of a cache line.
inline constexpr std::int64_t kLineBytes = 64;

/// Cells in memory, contiguous along x. Both pointers are to the first cell.
template <typename Cell>
struct CellGrid {
  const Cell* from;
  Cell* to;  // may be the same
  Index3 size;
  std::int64_t row;    // from one row to the next
  std::int64_t plane;  // from one plane to the next
  /// Number of cells outside the grid before and after each row. They may be read and written, and
  /// initially have the value outside a line.
  std::int64_t margin = 0;
};

/// Returns the distance between rows of so many cells. Rows a power of two apart would compete for
/// the same cache sets.
template <typename Cell>
std::int64_t row_apart(std::int64_t cells) {
  constexpr std::int64_t kBlock = kLineBytes / static_cast<std::int64_t>(sizeof(Cell));
  const std::int64_t row = (cells + kBlock - 1) / kBlock * kBlock;
  return row / kBlock % 2 == 0 ? row + kBlock : row;
}

/// Returns a grid whose rows have margins, without memory.
template <typename Cell>
CellGrid<Cell> grid_with_margins(const Index3& size, std::int64_t margin) {
  const std::int64_t row = row_apart<Cell>(size[0] + 2 * margin);
  return {nullptr, nullptr, size, row, row * size[1], margin};
}
template <typename Cell>
std::size_t cell_count(const CellGrid<Cell>& grid) {
  return static_cast<std::size_t>(grid.plane * grid.size[2]);
}

/// Owns the memory of a grid with initialised margins.
template <typename Cell>
class CellsWithMargins {
 public:
  CellsWithMargins(const Index3& size, std::int64_t margin, Cell outside, Context& context)
      : grid_(grid_with_margins<Cell>(size, margin)),
        cells_(large_array<Cell>(context, cell_count(grid_))) {
    grid_.from = grid_.to = cells_.get() + margin;
    constexpr std::int64_t kRowsPerTask = 64;
    const std::int64_t behind = grid_.row - margin - size[0];
    parallel_for(context, size[1] * size[2], kRowsPerTask,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     Cell* row = grid_.to + i * grid_.row;
                     std::fill(row - margin, row, outside);
                     std::fill(row + size[0], row + size[0] + behind, outside);
                   }
                 });
  }
  [[nodiscard]] const CellGrid<Cell>& grid() const { return grid_; }

 private:
  CellGrid<Cell> grid_;
  LargeArray<Cell> cells_;
};

}  // namespace seedwave::linear
