// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/image/connectivity.h"
#include "core/parallel/apart.h"
#include "core/parallel/context.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/engine.h"
#include "core/wavefront/geodesic/kernel.h"
#include "core/wavefront/shared_words.h"
#include "core/wavefront/tile_grid.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace seedwave {

/// A wavefront of StrengthRule whose limits belong to cells. Each cell rises to the highest of its
/// neighbours, but not above its own limit, until nothing can rise. This is reconstruction by
/// dilation, on tiles of 64 x 64 cells of a plane or 32 x 32 x 8 of a volume.
///
/// Cell is u8, u16 or i32. The result is the same for any number of threads.
template <typename Cell>
class GeodesicTiles {
 public:
  /// `threads` is the largest number of threads of run().
  GeodesicTiles(const Index3& size, Connectivity connectivity, int threads,
                LastPage last = LastPage::Exact);
  /// Returns the memory of a run that does not end in a flood, without the memory of each worker.
  [[nodiscard]] static std::int64_t bytes(const Index3& size, Connectivity connectivity);

  /// Sets `count` cells of a row from `offset` on, x fastest: cells[i] <= limits[i].
  using Fill = std::function<void(std::int64_t offset, int count, Cell* cells, Cell* limits)>;

  /// Brings the cells to the fixpoint. If paths wind so much that tiles are visited again and
  /// again, a GeodesicFlood completes the work. May be called once. Throws Cancelled.
  ///
  /// `fill` is called for stretches of rows that cover the grid. A tile's stretches are filled at
  /// its first visit, and processed while they are in the processor's cache. Several threads call
  /// it at once.
  void run(Context& context, const Fill& fill);

  /// Runs like run(), for callers with another method for winding paths. Returns false if paths
  /// wind more than in ordinary images of two values. Then the cells are in an intermediate state.
  [[nodiscard]] bool run_while_short(Context& context, const Fill& fill);

  /// Calls body(offset, count, cells) for stretches of rows that cover the grid.
  template <typename Body>
  void read(Context& context, Body&& body) const {
    parallel_for(context, grid_.band_count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t band = begin; band < end; ++band) {
        grid_.for_each_row_of_band(
            band, [&](std::int64_t offset, std::int64_t tile, int cell, int count) {
              body(offset, count, cells_.get() + tile * tile_cells_ + cell);
            });
      }
    });
  }

  [[nodiscard]] const TileGrid& grid() const noexcept { return grid_; }
  /// Returns a tile's cells after run(), [z][y][x]; limits() returns the limits. Outside the grid
  /// both are the lowest value.
  [[nodiscard]] const Cell* cells(std::int64_t tile) const {
    return cells_.get() + tile * tile_cells_;
  }
  [[nodiscard]] const Cell* limits(std::int64_t tile) const {
    return limits_.get() + tile * tile_cells_;
  }

 private:
  static constexpr Cell kLowest = std::numeric_limits<Cell>::lowest();

  /// The sides of a tile. Other workers may read copies of them, line by line: one line per plane
  /// for x and y sides, one per row for z sides.
  enum Side { XLow, XHigh, YLow, YHigh, ZLow, ZHigh };
  static constexpr int kUpright = 4;  // the x and y sides
  static constexpr int kLimitColumns = 2;

  struct alignas(kApart) Worker {
    ApartVector<Cell> turned;
    ApartVector<Cell> turned_limits;  // plane by plane, if has_turned is set
    std::uint32_t has_turned = 0;     // one bit per plane
    /// Cells around the tile: one line per plane at each upright side, with one more above and
    /// below, and one more cell at both ends.
    ApartVector<Cell> around;
    ApartVector<Cell> above;  // the planes at z = -1 and z = depth
    ApartVector<Cell> below;
    /// Offers to the cells at each upright side, one line per plane.
    ApartVector<Cell> offers;
    /// Published lines of a side, inside a margin of two lines and cells of the lowest value that
    /// is never written.
    ApartVector<Cell> own;
    ApartVector<Cell> line;
    // Statistics of this visit.
    std::int64_t sweeps = 0;
    std::uint32_t risen = 0;  // planes in which a cell rose, one bit each
  };
  /// Pending planes, one bit each.
  struct Pending {
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::uint32_t up = 0;
    std::uint32_t down = 0;

    [[nodiscard]] bool any() const { return (columns | rows | up | down) != 0; }
    void raise(int z) {
      columns |= 1U << z;
      rows |= 1U << z;
      up |= 1U << z;
      down |= 1U << z;
    }
  };

  [[nodiscard]] Cell* cells_of(std::int64_t tile) { return cells_.get() + tile * tile_cells_; }
  [[nodiscard]] Cell* limits_of(std::int64_t tile) { return limits_.get() + tile * tile_cells_; }
  /// Returns the limits of the first or the last column of a plane.
  [[nodiscard]] Cell* limit_column_of(std::int64_t tile, Side side, int z) {
    return limit_columns_.data() +
           ((tile * kLimitColumns + side) * grid_.depth() + z) * grid_.side();
  }
  [[nodiscard]] const Cell* turned_limits_of(std::int64_t tile, int z, Worker& worker);
  [[nodiscard]] int lines_of(Side side) const { return side < ZLow ? grid_.depth() : grid_.side(); }
  [[nodiscard]] std::int64_t line_at(std::int64_t tile, Side side, int number) const;
  void side_line(const Cell* cells, Side side, int number, Cell* line) const;
  void load(std::int64_t tile, const Fill& fill);
  std::uint32_t publish(std::int64_t tile, std::uint32_t planes);

  /// Largest effort of a run, per tile and per plane of a tile, before its paths count as too long.
  struct Patience {
    std::int64_t visits;
    std::int64_t sweeps;
  };
  [[nodiscard]] bool is_too_much() const;
  void flood(Context& context, const Fill& fill);
  void run_tiles_for(const Patience& patience, Context& context, const Fill& fill);
  void visit(std::int64_t tile, int worker, const Fill& fill, std::vector<Wake>& wakes);
  /// Returns the line of `around` at height z = -1 .. depth. Its cells are -1 .. side.
  [[nodiscard]] Cell* around(Worker& worker, int side, int z) const;
  [[nodiscard]] Cell* offer(Worker& worker, int side, int z) const;
  void read_around(const Index3& place, Worker& worker);
  void read_plane(std::int64_t tile, Side side, ApartVector<Cell>& plane);
  void reach(const Cell* lines, int from, int to, Cell* result) const;
  [[nodiscard]] Pending take(std::int64_t tile, Worker& worker);
  void settle(std::int64_t tile, Worker& worker, Pending pending);
  void settle_plane(std::int64_t tile, int z, Worker& worker, Pending& pending);
  void wake(std::int64_t tile, Worker& worker, std::uint32_t changed, std::vector<Wake>& wakes);
  void wake_beside(std::int64_t tile, Side side, Worker& worker, std::vector<Wake>& wakes);

  TileGrid grid_;
  Connectivity connectivity_;
  const geodesic::PlaneKernel<Cell>& kernel_;
  bool along_z_;
  /// The largest |dx| + |dy| + |dz| of a neighbour.
  int longest_step_ = 1;
  geodesic::Reach in_plane_ = geodesic::Reach::Straight;
  geodesic::Reach across_ = geodesic::Reach::Straight;
  std::int64_t plane_cells_;
  std::int64_t tile_cells_;
  std::int64_t line_bytes_;
  std::int64_t side_lines_;  // lines of one tile, over all sides
  LargeArray<Cell> cells_;
  LargeArray<Cell> limits_;
  std::vector<Cell> limit_columns_;  // of the x sides
  ApartVector<SharedWords::Word> side_words_;
  std::vector<char> loaded_;  // accessed by the owner only
  std::vector<char> left_;    // accessed by the owner only
  std::vector<Worker> workers_;
  Patience patience_{};
  /// Effort of the run so far. A race between workers only lets it run slightly longer.
  alignas(kApart) std::atomic<std::int64_t> visits_{0};
  std::atomic<std::int64_t> sweeps_{0};
};

extern template class GeodesicTiles<std::uint8_t>;
extern template class GeodesicTiles<std::uint16_t>;
extern template class GeodesicTiles<std::int32_t>;

}  // namespace seedwave
