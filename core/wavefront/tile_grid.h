// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace seedwave {

/// Copies a row of a tile. Whole rows of the usual lengths are copied without a function call.
template <typename T>
void copy_row(const T* from, int count, T* to) {
  if (count == 64) {
    std::memcpy(to, from, 64 * sizeof(T));
  } else if (count == 16) {
    std::memcpy(to, from, 16 * sizeof(T));
  } else {
    std::copy_n(from, count, to);
  }
}

/// A grid divided into tiles of side x side x depth cells. The last ones may extend beyond the
/// grid. Cells inside a tile are ordered [z][y][x].
class TileGrid {
 public:
  TileGrid(const Index3& size, int side, int depth) : size_(size), side_(side), depth_(depth) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t length = axis == 2 ? depth_ : side_;
      tiles_[axis] = (size_[axis] + length - 1) / length;
    }
  }

  [[nodiscard]] const Index3& size() const noexcept { return size_; }
  /// Returns the number of cells of a tile along x and y.
  [[nodiscard]] int side() const noexcept { return side_; }
  /// Returns the number of planes of a tile.
  [[nodiscard]] int depth() const noexcept { return depth_; }
  [[nodiscard]] std::int64_t tile_count() const noexcept {
    return tiles_[0] * tiles_[1] * tiles_[2];
  }
  [[nodiscard]] Index3 place_of(std::int64_t tile) const noexcept {
    return {tile % tiles_[0], tile / tiles_[0] % tiles_[1], tile / (tiles_[0] * tiles_[1])};
  }
  /// Returns the index of a tile's first cell.
  [[nodiscard]] Index3 first_cell(std::int64_t tile) const noexcept {
    const Index3 place = place_of(tile);
    return {place[0] * side_, place[1] * side_, place[2] * depth_};
  }
  /// Returns whether all cells of the tile lie in the grid.
  [[nodiscard]] bool is_whole(std::int64_t tile) const noexcept {
    const Index3 first = first_cell(tile);
    return first[0] + side_ <= size_[0] && first[1] + side_ <= size_[1] &&
           first[2] + depth_ <= size_[2];
  }
  /// Returns the tile (dx, dy, dz) tiles away, or -1 outside the grid.
  [[nodiscard]] std::int64_t neighbour(const Index3& place, int dx, int dy, int dz) const noexcept {
    const std::int64_t x = place[0] + dx;
    const std::int64_t y = place[1] + dy;
    const std::int64_t z = place[2] + dz;
    if (x < 0 || y < 0 || z < 0 || x >= tiles_[0] || y >= tiles_[1] || z >= tiles_[2]) return -1;
    return x + tiles_[0] * (y + tiles_[1] * z);
  }

  /// A cell by its tile and its position in it.
  struct Place {
    std::int64_t tile = 0;
    int cell = 0;
  };
  [[nodiscard]] Place locate(std::int64_t offset) const noexcept {
    const std::int64_t x = offset % size_[0];
    const std::int64_t y = offset / size_[0] % size_[1];
    const std::int64_t z = offset / (size_[0] * size_[1]);
    const std::int64_t tile = x / side_ + tiles_[0] * (y / side_ + tiles_[1] * (z / depth_));
    return {tile, static_cast<int>(x % side_ + side_ * (y % side_ + side_ * (z % depth_)))};
  }

  /// Calls body(offset, cell, count) for the rows of a tile that lie in the grid: the offset of the
  /// first cell in the image and in the tile, and the number of cells.
  template <typename Body>
  void for_each_row(std::int64_t tile, Body&& body) const {
    const Index3 first = first_cell(tile);
    const int nx = cells_along_x(first[0]);
    for_each_line(first, [&](std::int64_t line, int cell) { body(line + first[0], cell, nx); });
  }

  /// Returns the number of bands. A band is the tiles along x at one position in y and z.
  [[nodiscard]] std::int64_t band_count() const noexcept { return tiles_[1] * tiles_[2]; }
  [[nodiscard]] std::int64_t band_length() const noexcept { return tiles_[0]; }
  /// Calls body(offset, tile, cell, count) for the rows of a band's tiles that lie in the grid, in
  /// the order of the image. Memory is read faster in this order than tile by tile.
  template <typename Body>
  void for_each_row_of_band(std::int64_t band, Body&& body) const {
    const std::int64_t first_tile = band * tiles_[0];
    for_each_line(first_cell(first_tile), [&](std::int64_t line, int cell) {
      for (std::int64_t x = 0; x < tiles_[0]; ++x)
        body(line + x * side_, first_tile + x, cell, cells_along_x(x * side_));
    });
  }

 private:
  /// Returns the number of cells along x in the grid for a tile that begins at `first`.
  [[nodiscard]] int cells_along_x(std::int64_t first) const noexcept {
    return static_cast<int>(std::min<std::int64_t>(side_, size_[0] - first));
  }
  /// Calls body(line, cell) for a tile's rows that lie in the grid: the offset of the image's line,
  /// and the row's first cell in the tile.
  template <typename Body>
  void for_each_line(const Index3& first, Body&& body) const {
    const int nz = static_cast<int>(std::min<std::int64_t>(depth_, size_[2] - first[2]));
    const int ny = static_cast<int>(std::min<std::int64_t>(side_, size_[1] - first[1]));
    for (int z = 0; z < nz; ++z) {
      for (int y = 0; y < ny; ++y)
        body(size_[0] * (first[1] + y + size_[1] * (first[2] + z)), side_ * (y + side_ * z));
    }
  }

  Index3 size_;
  int side_;
  int depth_;
  Index3 tiles_{};
};

/// Tiles of 16 x 16 x 16 cells, or 16 x 16 x 1 in 2-D: a row is 16 cells, one vector register.
class BrickGrid : public TileGrid {
 public:
  static constexpr int kSide = 16;
  static constexpr int kPlane = kSide * kSide;
  static constexpr int kCells = kSide * kPlane;

  explicit BrickGrid(const Geometry& geometry)
      : TileGrid(geometry.size, kSide, geometry.size[2] == 1 ? 1 : kSide) {}
};

}  // namespace seedwave
