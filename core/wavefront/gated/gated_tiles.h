// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/parallel/apart.h"
#include "core/parallel/context.h"
#include "core/wavefront/engine.h"
#include "core/wavefront/gated/kernel.h"
#include "core/wavefront/shared_words.h"
#include "core/wavefront/tile_grid.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// A wavefront of 16-bit states on the planes of a grid, whose edges are open or blocked: each cell
/// falls to the least that comes through its open edges, on the way one more or the same, until
/// nothing can fall. On tiles of 64 x 64 cells; the result is the same for any number of threads.
class GatedTiles {
 public:
  /// grid: tiles of gated::kSide, in planes. states, gates: gated::kCells for each of its tiles, in
  /// their order; borrowed. Steps::One: no state above 0xFFFE. threads: how many run() may use.
  GatedTiles(const TileGrid& grid, Connectivity connectivity, gated::Steps steps, int threads,
             std::uint16_t* states, std::uint8_t* gates);

  /// Sets the states and gates of a tile; what lies outside the grid is blocked and gives nothing.
  using Fill = std::function<void(std::int64_t tile, int worker)>;

  /// Brings the states to rest. To be called once. Throws Cancelled.
  ///
  /// fill: called when a tile is visited first, so that it goes from there to work while it is in
  /// the cache; several threads at once, never twice at a time for one worker.
  void run(Context& context, const Fill& fill);

  /// After run(): a tile's states and those around it, from a padded tile's first cell on. Outside
  /// the grid: 0xFFFF or, of Steps::One, 0xFFFE.
  void read(std::int64_t tile, std::uint16_t* padded);

 private:
  /// The sides of a tile, of which copies are kept that others may read.
  enum Side { XLow, XHigh, YLow, YHigh };
  static constexpr int kSides = 4;
  static constexpr std::array kAllSides{XLow, XHigh, YLow, YHigh};
  static constexpr std::int64_t kLineBytes = gated::kSide * sizeof(std::uint16_t);
  /// Cells of a line with both at its ends, and rather more, for vectors.
  static constexpr int kLine = gated::kSide + 2 * gated::kPadding;
  using Line = std::array<std::uint16_t, kLine>;

  struct alignas(kApart) Worker {
    std::array<std::uint16_t, gated::kCells> turned;
    std::array<std::uint8_t, gated::kCells> turned_gates;
    std::array<Line, kSides> around;  // from gated::kPadding - 1 on
    Line own;
  };

  [[nodiscard]] std::uint16_t* states_of(std::int64_t tile) {
    return states_ + tile * gated::kCells;
  }
  [[nodiscard]] std::uint8_t* gates_of(std::int64_t tile) { return gates_ + tile * gated::kCells; }
  [[nodiscard]] std::uint8_t* gate_column_of(std::int64_t tile, Side side) {
    return gate_columns_.data() + (tile * 2 + side) * gated::kSide;
  }
  [[nodiscard]] static std::int64_t line_at(std::int64_t tile, Side side) {
    return (tile * kSides + side) * kLineBytes;
  }
  void read_line(std::int64_t tile, Side side, std::uint16_t* line);
  [[nodiscard]] std::uint16_t corner(const Index3& place, int dx, int dy);
  void read_rim(const Index3& place, Worker& worker);
  void visit(std::int64_t tile, int worker, const Fill& fill, std::vector<Wake>& wakes);
  bool take_column(std::int64_t tile, Side side, Worker& worker);
  void settle(std::int64_t tile, Worker& worker);
  void show(std::int64_t tile, Worker& worker, std::vector<Wake>& wakes);

  TileGrid grid_;
  gated::Steps steps_;
  std::uint16_t nothing_;  // the state of what nobody can take from, even one step on
  gated::Neighbours neighbours_;
  const gated::PlaneKernel& kernel_;
  std::uint16_t* states_;
  std::uint8_t* gates_;
  std::vector<std::uint8_t> gate_columns_;  // of each tile the first and the last
  ApartVector<SharedWords::Word> side_words_;
  std::vector<char> filled_;  // the owner's
  std::vector<Worker> workers_;
};

}  // namespace seedwave
