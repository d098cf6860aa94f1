// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/cell_grid.h"
#include "core/morphology/linear/kernel.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstdint>

namespace seedwave::linear {

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
