// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "core/wavefront/ordered_cells.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

/// Code shared by solvers: voxels as cells, and the values at the ends of their order.
namespace seedwave::linear {

template <typename Cell>
inline constexpr Cell kLowest = std::numeric_limits<Cell>::lowest();
template <typename Cell>
inline constexpr Cell kHighest = std::numeric_limits<Cell>::max();

/// Returns the value of a window that does not count; always() returns one that never stops a
/// window.
template <typename Cell>
[[nodiscard]] constexpr Cell never(LineFilter filter) noexcept {
  return filter == LineFilter::Opening ? kLowest<Cell> : kHighest<Cell>;
}
template <typename Cell>
[[nodiscard]] constexpr Cell always(LineFilter filter) noexcept {
  return filter == LineFilter::Opening ? kHighest<Cell> : kLowest<Cell>;
}

/// Returns from_cell() of a cell that is not inverted. A cell in no window becomes finite.
template <typename Voxel>
[[nodiscard]] Voxel filtered_voxel(CellOf<Voxel> cell, LineFilter filter) {
  if constexpr (std::is_same_v<Voxel, float>) {
    constexpr float kFinite = std::numeric_limits<float>::max();
    if (cell == never<CellOf<Voxel>>(filter))
      return filter == LineFilter::Opening ? -kFinite : kFinite;
  }
  return from_cell<Voxel>(cell, false);
}

/// Returns the value beside a line. With Inside it must keep windows out.
template <typename Cell>
[[nodiscard]] constexpr Cell outside_value(LineBorder border, LineFilter filter) noexcept {
  return border == LineBorder::Inside ? never<Cell>(filter) : always<Cell>(filter);
}

/// Returns a shorter length with the same result on lines of at most `count` cells. Longer windows
/// contain the same cells of the line, or none fits.
[[nodiscard]] inline std::int64_t least_length(LineBorder border, std::int64_t length,
                                               std::int64_t count) noexcept {
  switch (border) {
    case LineBorder::Anchor:
      return std::min(length, 2 * count + 1);
    case LineBorder::Inside:
      return std::min(length, count + 1);
    case LineBorder::Ignore:
      break;
  }
  return std::min(length, count);
}

}  // namespace seedwave::linear
