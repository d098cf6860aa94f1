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

/// Completes the work of GeodesicTiles if paths wind through its tiles again and again. Processes
/// cells from high to low, so each cell is processed once, however long its path. Uses one thread.
/// The fixpoint is unique, so the result is bitwise equal.
///
/// Best at the end of long paths: the cost depends on the cells that still rise, not on the image.
template <typename Cell>
class GeodesicFlood {
 public:
  /// Borrows tiles of cells and limits in the layout of GeodesicTiles. Side and depth are powers of
  /// two.
  GeodesicFlood(const TileGrid& grid, Connectivity connectivity, Cell* cells, const Cell* limits);

  /// Selects the cells of a tile that may offer something: all, or only those at its sides if the
  /// tile is stable inside.
  enum class From { Sides, Everywhere };
  void start_from(std::int64_t tile, From from);

  /// Runs to the fixpoint. Throws Cancelled.
  void run(Context& context);

 private:
  /// Waiting cells by value: one stack per value of a narrow type, otherwise a heap.
  class Waiting {
   public:
    Waiting();
    void push(Cell value, std::int64_t cell);
    [[nodiscard]] bool empty() const;
    /// Moves all cells of the highest value to `cells`, which must be empty. Returns the value.
    Cell take_highest(std::vector<std::int64_t>& cells);

   private:
    static constexpr bool kNarrow = sizeof(Cell) <= 2;
    using Entry = std::pair<Cell, std::int64_t>;
    std::vector<std::vector<std::int64_t>> stacks_;
    std::int64_t top_ = -1;  // no stack above it has a cell
    std::priority_queue<Entry> heap_;
  };

  /// Calls body(cell) for the neighbours of a cell that lie in the grid. `count` is the number of
  /// neighbours of an interior cell.
  template <int count, typename Body>
  void for_each_neighbour(std::int64_t cell, Body&& body) const;
  template <typename Body>
  void for_each_neighbour_across(std::int64_t cell, Body&& body) const;
  template <int count>
  void look_at(std::int64_t cell);
  template <int count>
  void flood(Context& context);

  const TileGrid& grid_;
  std::vector<NeighbourStep> steps_;
  /// The steps to the neighbours of a cell that is not at a side of its tile.
  std::array<std::int64_t, 26> inner_{};
  /// Set for the cells of a tile with neighbours in other tiles.
  std::vector<char> at_side_;
  Cell* cells_;
  const Cell* limits_;
  std::int64_t tile_cells_;
  int side_bits_;  // log2 of the side and of the cells of a tile
  int tile_bits_;
  std::vector<Index3> places_;  // by tile
  Waiting waiting_;
};

extern template class GeodesicFlood<std::uint8_t>;
extern template class GeodesicFlood<std::uint16_t>;
extern template class GeodesicFlood<std::int32_t>;

}  // namespace seedwave
