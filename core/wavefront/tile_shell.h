// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/wavefront/tile_grid.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// Describes how tiles meet. The shell of a tile is its cells that others see; the halo is the
/// cells of others that it sees. Gives the positions of both in a copy of the tile with a rim of
/// one cell.
///
/// It is the same for every tile of a grid. set_places() marks the cells that a tile at the end of
/// the grid lacks.
class TileShell {
 public:
  TileShell(const TileGrid& grid, Connectivity connectivity);

  /// Kind of a cell of the rimmed copy.
  enum Place : std::uint8_t { Outside, Own, Halo };

  struct HaloCell {
    int cell = 0;  // in the rimmed copy
    int away = 0;  // tile that contains it, for neighbour_tile()
    int slot = 0;  // index in that tile's shell
  };

  /// An edge between a cell of the halo and one of the tile.
  struct Meeting {
    int halo = 0;  // both in the rimmed copy
    int own = 0;
    int inward = 0;  // the step from the halo's cell
    int away = 0;    // tile that contains the halo's cell
  };

  /// Returns the number of cells of the rimmed copy.
  [[nodiscard]] int cell_count() const noexcept { return row_ * row_ * planes_; }
  /// Returns the position of the tile's cell (x, y, z) in the copy.
  [[nodiscard]] int cell_at(int x, int y, int z) const noexcept {
    return x + 1 + row_ * (y + 1 + row_ * (z + rim_z_));
  }
  /// Returns the offset in the image of each cell of the copy, relative to the tile's first cell.
  [[nodiscard]] const std::vector<std::int64_t>& offsets() const noexcept { return offsets_; }
  /// Returns the steps of neighbour_steps(), in the copy.
  [[nodiscard]] const std::vector<int>& steps() const noexcept { return steps_; }
  /// Returns the shell's cells in the copy. The index is the slot.
  [[nodiscard]] const std::vector<int>& shell() const noexcept { return shell_; }
  [[nodiscard]] const std::vector<HaloCell>& halo() const noexcept { return halo_; }
  [[nodiscard]] const std::vector<Meeting>& meetings() const noexcept { return meetings_; }
  /// Returns the tile in the direction `away`, or -1 outside the grid.
  [[nodiscard]] std::int64_t neighbour_tile(const Index3& place, int away) const noexcept {
    return grid_.neighbour(place, away % 3 - 1, away / 3 % 3 - 1, away / 9 - 1);
  }
  static constexpr int kAways = 27;

  /// Sets the place of each cell of a tile's copy.
  void set_places(std::int64_t tile, std::vector<Place>& places) const;

 private:
  TileGrid grid_;
  int rim_z_;
  int row_;
  int planes_;
  std::vector<std::int64_t> offsets_;
  std::vector<int> steps_;
  std::vector<int> shell_;
  std::vector<HaloCell> halo_;
  std::vector<Meeting> meetings_;
};

}  // namespace seedwave
