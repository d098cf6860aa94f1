// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/wavefront/tile_grid.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// How tiles meet: the cells of a tile that others see (its shell), the cells of others that it
/// sees (its halo), and where both lie in a copy of the tile with a rim of one cell around it.
///
/// The same for every tile of a grid; what a tile at the grid's end lacks, places() says.
class TileShell {
 public:
  TileShell(const TileGrid& grid, Connectivity connectivity);

  /// What a cell of the rimmed copy is.
  enum Place : std::uint8_t { Outside, Own, Halo };

  struct HaloCell {
    int cell = 0;  // in the rimmed copy
    int away = 0;  // in which tile: of neighbour_tile()
    int slot = 0;  // of that tile's shell
  };

  /// An edge between a cell of the halo and one of the tile.
  struct Meeting {
    int halo = 0;  // both in the rimmed copy
    int own = 0;
    int inward = 0;  // the step from the halo's cell
    int away = 0;    // in which tile the halo's cell lies
  };

  /// Cells of the rimmed copy.
  [[nodiscard]] int cell_count() const noexcept { return row_ * row_ * planes_; }
  /// Where the cell (x, y, z) of the tile lies in it.
  [[nodiscard]] int cell_at(int x, int y, int z) const noexcept {
    return x + 1 + row_ * (y + 1 + row_ * (z + rim_z_));
  }
  /// Offset of each cell of the copy in the image, from the tile's first cell.
  [[nodiscard]] const std::vector<std::int64_t>& offsets() const noexcept { return offsets_; }
  /// The steps of neighbour_steps(), in the copy.
  [[nodiscard]] const std::vector<int>& steps() const noexcept { return steps_; }
  /// The shell's cells in the copy; the index is the slot.
  [[nodiscard]] const std::vector<int>& shell() const noexcept { return shell_; }
  [[nodiscard]] const std::vector<HaloCell>& halo() const noexcept { return halo_; }
  [[nodiscard]] const std::vector<Meeting>& meetings() const noexcept { return meetings_; }
  /// The tile that lies `away`, -1 outside the grid.
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
