// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/morphology/linear/cell_grid.h"
#include "core/morphology/linear/kernel.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace seedwave::linear {

/// Makes rows of columns in every plane: cells that lie as `grid` says go where `turned`, whose x
/// and y have changed places, says.
template <typename Cell>
void turn(const Cell* from, const CellGrid<Cell>& grid, Cell* to, const CellGrid<Cell>& turned,
          Transpose<Cell> run, Context& context) {
  constexpr std::int64_t kSide = 256;  // of a block: its rows here and there stay in the cache
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

/// Where the cells of a grid go when x and y change places. Rows a power of two apart would fight
/// for the same places in the cache.
template <typename Cell>
CellGrid<Cell> turned_grid(const Index3& size) {
  constexpr std::int64_t kBlock = kLineBytes / static_cast<std::int64_t>(sizeof(Cell));
  const std::int64_t row = (size[1] + kBlock - 1) / kBlock * kBlock + kBlock;
  return {nullptr, nullptr, {size[1], size[0], size[2]}, row, row * size[0]};
}
template <typename Cell>
std::size_t cell_count(const CellGrid<Cell>& grid) {
  return static_cast<std::size_t>(grid.plane * grid.size[2]);
}

/// A copy of a grid's cells whose x and y have changed places.
template <typename Cell>
class TurnedCells {
 public:
  TurnedCells(const CellGrid<Cell>& grid, Transpose<Cell> run, Context& context)
      : grid_(turned_grid<Cell>(grid.size)), cells_(large_array<Cell>(context, cell_count(grid_))) {
    grid_.from = grid_.to = cells_.get();
    turn(grid.from, grid, cells_.get(), grid_, run, context);
  }
  /// What is read and written.
  [[nodiscard]] const CellGrid<Cell>& grid() const { return grid_; }

 private:
  CellGrid<Cell> grid_;
  LargeArray<Cell> cells_;
};

}  // namespace seedwave::linear
