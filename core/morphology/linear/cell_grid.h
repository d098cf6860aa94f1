// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/image/geometry.h"
#include "core/morphology/linear/kernel.h"
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

/// Transposes every plane: cells laid out as in `grid` are written as in `turned`, where x and y
/// are exchanged.
template <typename Cell>
void turn(const Cell* from, const CellGrid<Cell>& grid, Cell* to, const CellGrid<Cell>& turned,
          Transpose<Cell> run, Context& context) {
  constexpr std::int64_t kSide = 256;  // of a block, whose source and target rows stay in the cache
  const Index3& size = grid.size;
  const std::int64_t across = (size[0] + kSide - 1) / kSide;
  const std::int64_t down = (size[1] + kSide - 1) / kSide;
  parallel_for(context, across * down * size[2], 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t x = i % across * kSide;
      const std::int64_t y = i / across % down * kSide;
      const std::int64_t z = i / (across * down);
      run(from + x + y * grid.row + z * grid.plane, grid.row, std::min(kSide, size[0] - x),
          std::min(kSide, size[1] - y), to + y + x * turned.row + z * turned.plane, turned.row);
    }
  });
}

/// Returns a copy of a grid's cells with x and y exchanged.
template <typename Cell>
CellsWithMargins<Cell> turned_cells(const CellGrid<Cell>& grid, std::int64_t margin, Cell outside,
                                    Transpose<Cell> run, Context& context) {
  CellsWithMargins<Cell> turned({grid.size[1], grid.size[0], grid.size[2]}, margin, outside,
                                context);
  turn(grid.from, grid, turned.grid().to, turned.grid(), run, context);
  return turned;
}

}  // namespace seedwave::linear
