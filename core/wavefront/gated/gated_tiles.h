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

/// A wavefront of 16-bit states on the planes of a grid, whose edges are open or blocked. Each cell
/// falls to the minimum that arrives through its open edges, until nothing can fall. A step adds
/// one or nothing (gated::Steps). Runs on tiles of 64 x 64 cells. The result is the same for any
/// number of threads.
class GatedTiles {
 public:
  /// `grid` has tiles of gated::kSide, in planes. `states` and `gates` hold gated::kCells per tile,
  /// in the tiles' order, and are borrowed. With Steps::One no state may exceed 0xFFFE. `threads`
  /// is the largest number of threads of run().
  GatedTiles(const TileGrid& grid, Connectivity connectivity, gated::Steps steps, int threads,
             std::uint16_t* states, std::uint8_t* gates);

  /// Sets the states and gates of a tile. Cells outside the grid must be blocked and offer nothing.
  using Fill = std::function<void(std::int64_t tile, int worker)>;

  /// Brings the states to the fixpoint. May be called once. Throws Cancelled.
  ///
  /// `fill` is called at the first visit to a tile, which is then processed while it is in the
  /// processor's cache. Several threads call it at once, but never twice at a time for one worker.
  void run(Context& context, const Fill& fill);

  /// Reads a tile's states and those around it into `padded`, a padded tile's first cell. Call it
  /// after run(). Cells outside the grid are 0xFFFF, or 0xFFFE with Steps::One.
  void read(std::int64_t tile, std::uint16_t* padded);

 private:
  /// The sides of a tile, whose copies other workers may read.
  enum Side { XLow, XHigh, YLow, YHigh };
  static constexpr int kSides = 4;
  static constexpr std::array kAllSides{XLow, XHigh, YLow, YHigh};
  static constexpr std::int64_t kLineBytes = gated::kSide * sizeof(std::uint16_t);
  /// Number of cells of a line, including both ends and padding for vectors.
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
  std::uint16_t nothing_;  // the state of a cell that offers nothing, even after one step
  gated::Neighbours neighbours_;
  const gated::PlaneKernel& kernel_;
  std::uint16_t* states_;
  std::uint8_t* gates_;
  std::vector<std::uint8_t> gate_columns_;  // first and last column of each tile
  ApartVector<SharedWords::Word> side_words_;
  std::vector<char> filled_;  // accessed by the owner only
  std::vector<Worker> workers_;
};

}  // namespace seedwave
