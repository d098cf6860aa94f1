// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace seedwave {

/// A grid cut into bricks of 16 x 16 x 16 cells, in a plane 16 x 16 x 1; the last ones may reach
/// beyond the grid. Inside a brick cells lie [z][y][x]: a row is 16 cells, one vector register.
class BrickGrid {
 public:
  static constexpr int kSide = 16;
  static constexpr int kPlane = kSide * kSide;
  static constexpr int kCells = kSide * kPlane;

  explicit BrickGrid(const Geometry& geometry)
      : size_(geometry.size), depth_(geometry.size[2] == 1 ? 1 : kSide) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t side = axis == 2 ? depth_ : kSide;
      bricks_[axis] = (size_[axis] + side - 1) / side;
    }
  }

  [[nodiscard]] const Index3& size() const noexcept { return size_; }
  /// Planes of a brick: 16, or 1 in a plane.
  [[nodiscard]] int depth() const noexcept { return depth_; }
  [[nodiscard]] std::int64_t brick_count() const noexcept {
    return bricks_[0] * bricks_[1] * bricks_[2];
  }
  [[nodiscard]] Index3 place_of(std::int64_t brick) const noexcept {
    return {brick % bricks_[0], brick / bricks_[0] % bricks_[1], brick / (bricks_[0] * bricks_[1])};
  }
  /// Index of a brick's first cell.
  [[nodiscard]] Index3 first_cell(std::int64_t brick) const noexcept {
    const Index3 place = place_of(brick);
    return {place[0] * kSide, place[1] * kSide, place[2] * depth_};
  }
  /// The brick that lies (dx, dy, dz) bricks away, -1 outside.
  [[nodiscard]] std::int64_t neighbour(const Index3& place, int dx, int dy, int dz) const noexcept {
    const std::int64_t x = place[0] + dx;
    const std::int64_t y = place[1] + dy;
    const std::int64_t z = place[2] + dz;
    if (x < 0 || y < 0 || z < 0 || x >= bricks_[0] || y >= bricks_[1] || z >= bricks_[2]) return -1;
    return x + bricks_[0] * (y + bricks_[1] * z);
  }

  /// A cell by its brick and its place inside.
  struct Place {
    std::int64_t brick = 0;
    int cell = 0;
  };
  [[nodiscard]] Place locate(std::int64_t offset) const noexcept {
    const std::int64_t x = offset % size_[0];
    const std::int64_t y = offset / size_[0] % size_[1];
    const std::int64_t z = offset / (size_[0] * size_[1]);
    const std::int64_t brick = x / kSide + bricks_[0] * (y / kSide + bricks_[1] * (z / depth_));
    return {brick, static_cast<int>(x % kSide + kSide * (y % kSide) + kPlane * (z % depth_))};
  }

  /// Calls body(offset, cell, count) for the rows of a brick that lie in the grid: offset of the
  /// first cell in the image, in the brick, and how many cells.
  template <typename Body>
  void for_each_row(std::int64_t brick, Body&& body) const {
    const Index3 first = first_cell(brick);
    const int nz = static_cast<int>(std::min<std::int64_t>(depth_, size_[2] - first[2]));
    const int ny = static_cast<int>(std::min<std::int64_t>(kSide, size_[1] - first[1]));
    const int nx = static_cast<int>(std::min<std::int64_t>(kSide, size_[0] - first[0]));
    for (int z = 0; z < nz; ++z) {
      for (int y = 0; y < ny; ++y) {
        const std::int64_t offset =
            first[0] + size_[0] * (first[1] + y + size_[1] * (first[2] + z));
        body(offset, kSide * y + kPlane * z, nx);
      }
    }
  }

 private:
  Index3 size_;
  int depth_;
  Index3 bricks_{};
};

}  // namespace seedwave
