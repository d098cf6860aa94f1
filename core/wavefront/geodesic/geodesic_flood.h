// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/parallel/context.h"
#include "core/wavefront/tile_grid.h"

#include <queue>

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {

/// Finishes what GeodesicTiles began where paths wind through its tiles again and again: cell by
/// cell, the highest first, so that each cell is passed once however long its path. One thread;
/// the same bits, because the fixpoint is unique.
///
/// Best at the end of long paths: its cost goes with the cells that still rise, not with the image.
template <typename Cell>
class GeodesicFlood {
 public:
  /// Tiles of cells and limits as GeodesicTiles keeps them; side and depth are powers of two.
  GeodesicFlood(const TileGrid& grid, Connectivity connectivity, Cell* cells, const Cell* limits);

  /// Which of a tile's cells may have something to give: all, or those at its sides, because
  /// inside the tile is stable.
  enum class From { Sides, Everywhere };
  void start_from(std::int64_t tile, From from);

  /// Throws Cancelled.
  void run(Context& context);

 private:
  /// Cells that wait, by their value: a stack for each value of a narrow type, else a heap.
  class Waiting {
   public:
    Waiting();
    void push(Cell value, std::int64_t cell);
    [[nodiscard]] bool empty() const;
    /// Moves all cells of the highest value to `cells`, which is empty.
    Cell take_highest(std::vector<std::int64_t>& cells);

   private:
    static constexpr bool kNarrow = sizeof(Cell) <= 2;
    using Entry = std::pair<Cell, std::int64_t>;
    std::vector<std::vector<std::int64_t>> stacks_;
    std::int64_t top_ = -1;  // no stack above it has a cell
    std::priority_queue<Entry> heap_;
  };

  /// Calls body(cell) for the neighbours of a cell that lie in the grid; `count`: how many a cell
  /// inside has.
  template <int count, typename Body>
  void for_each_neighbour(std::int64_t cell, Body&& body) const;
  template <typename Body>
  void for_each_neighbour_across(std::int64_t cell, Body&& body) const;
  template <int count>
  void look_at(std::int64_t cell);
  template <int count>
  void flood(Context& context);

  const TileGrid& grid_;
  std::vector<Step> steps_;
  /// The steps to the neighbours of a cell that is not at its tile's sides.
  std::array<std::int64_t, 26> inner_{};
  /// Of a tile's cells those that have neighbours in other tiles.
  std::vector<char> at_side_;
  Cell* cells_;
  const Cell* limits_;
  std::int64_t tile_cells_;
  int side_bits_;  // their powers of two
  int tile_bits_;
  std::vector<Index3> places_;  // of the tiles
  Waiting waiting_;
};

extern template class GeodesicFlood<std::uint8_t>;
extern template class GeodesicFlood<std::uint16_t>;
extern template class GeodesicFlood<std::int32_t>;

}  // namespace seedwave
