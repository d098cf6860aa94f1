// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/wavefront/cell_pair.cuh"
#include "gpu/wavefront/engine.cuh"

#include <cstdint>

/// Cells of a plane that rise under limits of their own, on tiles of 64 x 32 that live in the
/// registers of a warp: reconstruction by dilation with 4 or 8 neighbours.
///
/// A sweep along an axis has the tile's line along the register index. For columns a lane holds two
/// of them, a pair a row. For rows it holds half of two of them, a pair a column counted from the
/// tile's side inwards: lane q the left halves of rows 2q and 2q + 1, lane 16 + q the right ones.
/// The pairs go from one order to the other through shared memory, in chunks of 16 bytes whose
/// places are exchanged so that no two lanes meet in a bank.
namespace seedwave::gpu {

/// A plane in device memory, tile by tile. What lies beyond the plane is the lowest, cells and
/// limits.
template <typename Cell>
struct TiledPlane {
  static constexpr int kWidth = 64;
  static constexpr int kHeight = 32;
  static constexpr int kCells = kWidth * kHeight;
  /// The sides of a tile, again and together, where its neighbours read them: first and last row,
  /// first and last column.
  static constexpr int kRow = 0;
  static constexpr int kColumn = 2 * kWidth;
  static constexpr int kSides = 2 * kWidth + 2 * kHeight;

  Cell* cells;
  Cell* limits;
  Cell* sides;
  Cell* limit_sides;
  /// Of each tile: it was left before it was at rest.
  std::uint8_t* unfinished;
  int tiles_x;
  int tiles_y;
};

template <typename Cell, bool diagonal>
class PlaneTiles {
 public:
  using Pair = PairOf<Cell>;
  static constexpr int kPairs = 32;  // of a lane

 private:
  using Watch = WatchOf<Cell>;
  using Plane = TiledPlane<Cell>;
  static constexpr int kWidth = Plane::kWidth;
  static constexpr int kHeight = Plane::kHeight;
  static constexpr bool kNarrow = sizeof(Pair) == 4;
  static constexpr int kRowPairs = kHeight / 2;
  static constexpr int kPairsAChunk = 16 / static_cast<int>(sizeof(Pair));
  static constexpr int kChunks = kPairs / kPairsAChunk;  // of a lane
  /// Pairs that a lane moves to and from device memory at once.
  static constexpr int kPairsAMove = 8 / static_cast<int>(sizeof(Cell));

  /// Sweeps of a visit; what is left waits for the next, and for what neighbours bring by then.
  static constexpr int kMostSweeps = 4;

  struct alignas(16) Chunk {
    Pair pair[kPairsAChunk];
  };
  struct alignas(sizeof(Pair) * 2) Two {
    Pair pair[2];
  };
  /// A tile by rows.
  using Rows = Chunk[kRowPairs][2][kChunks];

 public:
  static constexpr int kThreads = kNarrow ? 128 : 64;
  static constexpr int kBlocks = 4;
  struct Scratch {
    Rows cells;
    Rows limits;
  };

  explicit PlaneTiles(const Plane& plane) : plane_(plane) {}

  /// A tile's first visit, before any is queued: cells (none above its limit) and limits as they
  /// are given, by columns, go to rest among themselves and into device memory.
  __device__ void begin(std::int32_t tile, int lane, Scratch& scratch, Pair (&cells)[kPairs],
                        const Pair (&limits)[kPairs]) const {
    store(limits, plane_.limits, tile, forgotten(lane));
    put_columns(limits, lane, scratch.limits);
    const Pair limit_side = scratch.limits[lane % 16][lane / 16][place(0, lane % 16)].pair[0];
    publish(limits, limit_side, plane_.limit_sides, tile, forgotten(lane));
    const SettleEnd end = settle(cells, limits, scratch, Pair::lowest(), Pair::lowest(),
                                 Pair::lowest(), true, true, Pair::lowest());
    store(cells, plane_.cells, tile, forgotten(lane));
    publish(cells, end.side, plane_.sides, tile, forgotten(lane));
    if (lane == 0) plane_.unfinished[tile] = end.again ? 1 : 0;
  }

  /// The cells of a tile, by columns.
  __device__ void read(std::int32_t tile, int lane, Pair (&cells)[kPairs]) const {
    load(plane_.cells, tile, lane, cells);
  }

  __device__ TileVisitEnd visit(std::int32_t tile, int lane, Scratch& scratch) const {
    const int tx = tile % plane_.tiles_x;
    const int ty = tile / plane_.tiles_x;
    Pair cells[kPairs];
    Pair limits[kPairs];
    load(plane_.cells, tile, lane, cells);
    load(plane_.limits, tile, lane, limits);
    const Around around = look(plane_.sides, tx, ty, lane);
    const Around around_limits = look(plane_.limit_sides, tx, ty, lane);
    const Pair own_side = Pair::load(plane_.sides + side_at(tile, lane));
    const Pair own_limit = Pair::load(plane_.limit_sides + side_at(tile, lane));
    const bool unfinished = __ldcg(plane_.unfinished + tile) != 0;

    // What the rows at the tile's ends and the columns at its sides are offered.
    Pair above = around.above;
    Pair below = around.below;
    Pair beside = around.beside;
    if constexpr (diagonal) beside = along_column(beside, around.corner, lane);
    const Pair above_here = diagonal ? along_row(above, lane) : above;
    const Pair below_here = diagonal ? along_row(below, lane) : below;
    const bool by_rows = __any_sync(kAll, gains(own_side, own_limit, beside));
    const bool by_columns =
        __any_sync(kAll, gains(cells[0], limits[0], above_here) ||
                             gains(cells[kPairs - 1], limits[kPairs - 1], below_here));
    if (!by_rows && !by_columns && !unfinished) return {-1, false};

    put_columns(limits, lane, scratch.limits);
    const SettleEnd end = settle(cells, limits, scratch, above, below, beside,
                                 unfinished || by_columns, unfinished || by_rows, own_side);
    if (end.rose) {
      store(cells, plane_.cells, tile, forgotten(lane));
      publish(cells, end.side, plane_.sides, tile, forgotten(lane));
    }
    if (lane == 0 && unfinished != end.again) plane_.unfinished[tile] = end.again ? 1 : 0;
    if (!end.rose) return {-1, end.again};
    return {woken(cells[0], cells[kPairs - 1], end.side, around, around_limits, tx, ty, lane),
            end.again};
  }

 private:
  static constexpr unsigned kAll = 0xFFFFFFFFU;

  /// What the tile is offered by its neighbours, or may take from it.
  struct Around {
    Pair above;  // columns 2 lane and 2 lane + 1 of the row above
    Pair below;
    Pair beside;  // rows 2q and 2q + 1 of the column beside the lane's half
    /// diagonal: of that column the pair beyond its upper end (lanes with q = 0) or its lower
    /// end (q = 15).
    Pair corner;
  };
  struct SettleEnd {
    bool rose;
    bool again;
    Pair side;  // rows 2q and 2q + 1 of the column at the lane's half
  };

  /// The same value, but the compiler does not know: what was computed from it is computed again
  /// and not kept in registers meanwhile.
  [[nodiscard]] static __device__ int forgotten(int value) {
    asm volatile("" : "+r"(value));
    return value;
  }

  // Device memory. A lane's pairs lie so that a warp moves 512 bytes at once.
  [[nodiscard]] static __device__ std::int64_t move_at(std::int64_t tile, int lane) {
    return tile * Plane::kCells + lane * 2 * kPairsAMove;
  }
  static __device__ void load(const Cell* from, std::int64_t tile, int lane,
                              Pair (&pairs)[kPairs]) {
    const Cell* at = from + move_at(tile, lane);
#pragma unroll
    for (int m = 0; m < kPairs / kPairsAMove; ++m) {
      Pair some[kPairsAMove];
      Pair::load_some(at + m * 64 * kPairsAMove, some);
#pragma unroll
      for (int i = 0; i < kPairsAMove; ++i)
        pairs[m * kPairsAMove + i] = some[i];
    }
  }
  static __device__ void store(const Pair (&pairs)[kPairs], Cell* to, std::int64_t tile, int lane) {
    Cell* at = to + move_at(tile, lane);
#pragma unroll
    for (int m = 0; m < kPairs / kPairsAMove; ++m) {
      Pair some[kPairsAMove];
#pragma unroll
      for (int i = 0; i < kPairsAMove; ++i)
        some[i] = pairs[m * kPairsAMove + i];
      Pair::store_some(at + m * 64 * kPairsAMove, some);
    }
  }
  [[nodiscard]] static __device__ std::int64_t side_at(std::int64_t tile, int lane) {
    return tile * Plane::kSides + Plane::kColumn + (lane / 16) * kHeight + 2 * (lane % 16);
  }
  static __device__ void publish(const Pair (&cells)[kPairs], Pair side, Cell* sides,
                                 std::int64_t tile, int lane) {
    Cell* rows = sides + tile * Plane::kSides + Plane::kRow + 2 * lane;
    cells[0].store(rows);
    cells[kPairs - 1].store(rows + kWidth);
    side.store(sides + side_at(tile, lane));
  }

  [[nodiscard]] __device__ std::int32_t neighbour(int tx, int ty, int dx, int dy) const {
    const int x = tx + dx;
    const int y = ty + dy;
    if (x < 0 || y < 0 || x >= plane_.tiles_x || y >= plane_.tiles_y) return -1;
    return x + plane_.tiles_x * y;
  }
  [[nodiscard]] static __device__ int outwards(int lane) {
    return lane < 16 ? -1 : 1;
  }
  /// For the lanes that hold a corner of the tile: where the tile beyond it lies in y; else 0.
  [[nodiscard]] static __device__ int cornerwards(int lane) {
    return lane % 16 == 0 ? -1 : (lane % 16 == 15 ? 1 : 0);
  }

  /// The cells around a tile, or their limits; the lowest outside.
  [[nodiscard]] __device__ Around look(const Cell* sides, int tx, int ty, int lane) const {
    Around around{Pair::lowest(), Pair::lowest(), Pair::lowest(), Pair::lowest()};
    const std::int64_t above = neighbour(tx, ty, 0, -1);
    const std::int64_t below = neighbour(tx, ty, 0, 1);
    if (above >= 0) {
      around.above = Pair::load(sides + above * Plane::kSides + Plane::kRow + kWidth + 2 * lane);
    }
    if (below >= 0)
      around.below = Pair::load(sides + below * Plane::kSides + Plane::kRow + 2 * lane);
    const int out = outwards(lane);
    const std::int64_t next = neighbour(tx, ty, out, 0);
    if (next >= 0) around.beside = Pair::load(sides + side_at(next, lane ^ 16));
    if constexpr (diagonal) {
      const int dy = cornerwards(lane);
      const std::int64_t beyond = dy == 0 ? -1 : neighbour(tx, ty, out, dy);
      if (beyond >= 0) around.corner = Pair::load(sides + side_at(beyond, (lane ^ 16) ^ 15));
    }
    return around;
  }

  /// The highest of a row's pairs and those one cell to the left and right. At the tile's sides a
  /// cell within stands for the one outside: it is a neighbour too.
  [[nodiscard]] static __device__ Pair along_row(Pair pair, int lane) {
    const Pair left = pair.shuffled(lane == 0 ? 0 : lane - 1, 32);
    const Pair right = pair.shuffled(lane == 31 ? 31 : lane + 1, 32);
    return highest(pair, Pair::between(left, pair), Pair::between(pair, right));
  }
  /// The same along the column that the lanes of a half hold; `corner` is the pair beyond its ends.
  [[nodiscard]] static __device__ Pair along_column(Pair pair, Pair corner, int lane) {
    const int q = lane % 16;
    Pair up = pair.shuffled(q == 0 ? 0 : q - 1, 16);
    Pair down = pair.shuffled(q == 15 ? 15 : q + 1, 16);
    if (q == 0) up = corner;
    if (q == 15) down = corner;
    return highest(pair, Pair::between(up, pair), Pair::between(pair, down));
  }
  [[nodiscard]] static __device__ bool gains(Pair cell, Pair limit, Pair offer) {
    return differ(higher(cell, lower(offer, limit)), cell);
  }

  /// Sweeps columns and rows in turns, until both are at rest or the visit has done its share.
  /// `cells` go in and come out by columns.
  [[nodiscard]] static __device__ SettleEnd settle(Pair (&cells)[kPairs],
                                                   const Pair (&limits)[kPairs], Scratch& scratch,
                                                   Pair above, Pair below, Pair beside,
                                                   bool columns, bool rows, Pair side) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    Watch watch;
    watch.start(cells);
    SettleEnd end{false, false, side};
    for (int left = kMostSweeps; columns || rows;) {
      if (left <= 0) {
        end.again = true;
        break;
      }
      if (columns) {
        sweep_columns(cells, limits, above, below, watch);
        --left;
        const bool rose = watch.risen(cells);
        end.rose |= rose;
        rows |= rose;
        columns = diagonal && rose;
      }
      if (rows) {
        put_columns(cells, forgotten(lane), scratch.cells);
        take_rows(cells, forgotten(lane), scratch.cells);
        sweep_rows(cells, scratch.limits, beside, watch);
        --left;
        const bool rose = watch.risen(cells);
        end.side = cells[0];
        put_rows(cells, forgotten(lane), scratch.cells);
        take_columns(cells, forgotten(lane), scratch.cells);
        end.rose |= rose;
        columns |= rose;
        rows = false;
      }
    }
    return end;
  }

  /// Down and up at once: the two meet in the middle and go on through what the other has done.
  /// With diagonals a row passes on to three cells of the next.
  static __device__ void sweep_columns(Pair (&cells)[kPairs], const Pair (&limits)[kPairs],
                                       Pair above, Pair below, Watch& watch) {
    const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
    for (int y = 0; y < kPairs; ++y) {
      if constexpr (diagonal) {
        above = along_row(above, lane);
        below = along_row(below, lane);
      }
      above = rise(cells[y], limits[y], above, watch);
      below = rise(cells[kPairs - 1 - y], limits[kPairs - 1 - y], below, watch);
    }
  }

  /// Both halves inwards, then, with what arrived from the other, outwards.
  static __device__ void sweep_rows(Pair (&cells)[kPairs], const Rows& limits, Pair beside,
                                    Watch& watch) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int q = lane % 16;
    const auto& own = limits[q][lane / 16];
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
      const Chunk limit = own[place(c, q)];
#pragma unroll
      for (int i = 0; i < kPairsAChunk; ++i)
        beside = rise(cells[c * kPairsAChunk + i], limit.pair[i], beside, watch);
    }
    beside = beside.shuffled(lane ^ 16, 32);
#pragma unroll
    for (int c = kChunks - 1; c >= 0; --c) {
      const Chunk limit = own[place(c, q)];
#pragma unroll
      for (int i = kPairsAChunk - 1; i >= 0; --i)
        beside = rise(cells[c * kPairsAChunk + i], limit.pair[i], beside, watch);
    }
  }

  [[nodiscard]] static __device__ Pair rise(Pair& cell, Pair limit, Pair offer, Watch& watch) {
    const Pair risen = lower(higher(cell, offer), limit);
    watch.see(cell, risen);
    cell = risen;
    return risen;
  }

  [[nodiscard]] static __device__ int place(int chunk, int row_pair) {
    return chunk ^ (row_pair & 7);
  }
  /// Where the two pairs of a lane's columns stand in a row's half.
  template <typename Chunks>
  [[nodiscard]] static __device__ Two* two_at(Chunks& rows, int row_pair, int lane) {
    const int half = lane / 16;
    const int number = half == 0 ? lane : 31 - lane;  // from the side inwards
    constexpr int kTwosAChunk = kPairsAChunk / 2;
    Chunk& chunk = rows[row_pair][half][place(number / kTwosAChunk, row_pair)];
    return reinterpret_cast<Two*>(&chunk) + number % kTwosAChunk;
  }

  // From lanes that hold columns, through shared memory, to lanes that hold rows, and back.
  static __device__ void put_columns(const Pair (&pairs)[kPairs], int lane, Rows& rows) {
    const bool turned = lane >= 16;
    const typename Pair::Pick outer = turned ? Pair::kSeconds : Pair::kFirsts;
    const typename Pair::Pick inner = turned ? Pair::kFirsts : Pair::kSeconds;
    __syncwarp();
#pragma unroll
    for (int q = 0; q < kRowPairs; ++q) {
      *two_at(rows, q, lane) = {{Pair::picked(pairs[2 * q], pairs[2 * q + 1], outer),
                                 Pair::picked(pairs[2 * q], pairs[2 * q + 1], inner)}};
    }
    __syncwarp();
  }
  static __device__ void take_rows(Pair (&pairs)[kPairs], int lane, const Rows& rows) {
    const int q = lane % 16;
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
      const Chunk chunk = rows[q][lane / 16][place(c, q)];
#pragma unroll
      for (int i = 0; i < kPairsAChunk; ++i)
        pairs[c * kPairsAChunk + i] = chunk.pair[i];
    }
  }
  static __device__ void put_rows(const Pair (&pairs)[kPairs], int lane, Rows& rows) {
    const int q = lane % 16;
    __syncwarp();
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
      Chunk chunk;
#pragma unroll
      for (int i = 0; i < kPairsAChunk; ++i)
        chunk.pair[i] = pairs[c * kPairsAChunk + i];
      rows[q][lane / 16][place(c, q)] = chunk;
    }
    __syncwarp();
  }
  static __device__ void take_columns(Pair (&pairs)[kPairs], int lane, Rows& rows) {
    const bool turned = lane >= 16;
    const typename Pair::Pick firsts = turned ? Pair::kFirstsTurned : Pair::kFirsts;
    const typename Pair::Pick seconds = turned ? Pair::kSecondsTurned : Pair::kSeconds;
#pragma unroll
    for (int q = 0; q < kRowPairs; ++q) {
      const Two two = *two_at(rows, q, lane);
      pairs[2 * q] = Pair::picked(two.pair[0], two.pair[1], firsts);
      pairs[2 * q + 1] = Pair::picked(two.pair[0], two.pair[1], seconds);
    }
  }

  /// Which neighbour gains by this tile's sides, one in each lane. What is known of them may be
  /// old: then one is woken in vain, never forgotten.
  [[nodiscard]] __device__ std::int32_t woken(Pair first_row, Pair last_row, Pair side,
                                              const Around& around, const Around& limits, int tx,
                                              int ty, int lane) const {
    std::int32_t wake = -1;
    if constexpr (diagonal) {
      const int dy = cornerwards(lane);
      if (dy != 0) {
        // The cell at this tile's corner against the one beyond it.
        const auto offer = dy < 0 ? side.first() : side.second();
        const auto there = dy < 0 ? around.corner.second() : around.corner.first();
        const auto limit = dy < 0 ? limits.corner.second() : limits.corner.first();
        if (min(offer, limit) > there) wake = neighbour(tx, ty, outwards(lane), dy);
      }
      first_row = along_row(first_row, lane);
      last_row = along_row(last_row, lane);
      side = along_column(side, Pair::lowest(), lane);
    }
    if (__any_sync(kAll, gains(around.above, limits.above, first_row)) && lane == 1) {
      wake = neighbour(tx, ty, 0, -1);
    }
    if (__any_sync(kAll, gains(around.below, limits.below, last_row)) && lane == 2) {
      wake = neighbour(tx, ty, 0, 1);
    }
    const unsigned beside = __ballot_sync(kAll, gains(around.beside, limits.beside, side));
    if ((beside & 0xFFFFU) != 0 && lane == 3) wake = neighbour(tx, ty, -1, 0);
    if ((beside >> 16) != 0 && lane == 4) wake = neighbour(tx, ty, 1, 0);
    return wake;
  }

  Plane plane_;
};

}  // namespace seedwave::gpu
