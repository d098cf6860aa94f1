// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/geometry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave {

/// A grid with a rim of one cell on every side with neighbours. Each cell then has all its
/// neighbours, and loops over them need no test for the border.
class RimmedGrid {
 public:
  RimmedGrid(const Index3& size, Connectivity connectivity) : size_(size) {
    const std::vector<NeighbourStep> steps = neighbour_steps(connectivity);
    rim_z_ =
        std::any_of(steps.begin(), steps.end(), [](const NeighbourStep& s) { return s.dz != 0; });
    for (const NeighbourStep& step : steps)
      neighbours_.push_back(step.dx + row() * (step.dy + plane_rows() * step.dz));
  }

  /// Returns the number of cells, including the rim.
  [[nodiscard]] std::size_t cell_count() const noexcept {
    return static_cast<std::size_t>(row() * plane_rows() * (size_[2] + (rim_z_ ? 2 : 0)));
  }
  [[nodiscard]] std::int64_t row_length() const noexcept { return size_[0]; }
  [[nodiscard]] std::int64_t row_count() const noexcept { return size_[1] * size_[2]; }
  /// Returns the first cell of the image's row number `y + ny * z`.
  [[nodiscard]] std::int64_t row_start(std::int64_t number) const noexcept {
    const std::int64_t y = number % size_[1];
    const std::int64_t z = number / size_[1];
    return 1 + row() * (1 + y + plane_rows() * (z + (rim_z_ ? 1 : 0)));
  }

  /// Returns the offsets of a cell's neighbours: first those before it in raster order, then those
  /// after it.
  [[nodiscard]] const std::vector<std::int64_t>& neighbours() const noexcept { return neighbours_; }
  [[nodiscard]] std::size_t neighbours_before() const noexcept { return neighbours_.size() / 2; }

 private:
  [[nodiscard]] std::int64_t row() const noexcept { return size_[0] + 2; }
  [[nodiscard]] std::int64_t plane_rows() const noexcept { return size_[1] + 2; }

  Index3 size_;
  bool rim_z_ = false;
  std::vector<std::int64_t> neighbours_;
};

}  // namespace seedwave
