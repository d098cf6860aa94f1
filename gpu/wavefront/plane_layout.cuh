// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/wavefront/cell_pair.cuh"

#include <cstdint>

/// A plane in tiles of 64 x 32 cells, each small enough for the registers of a warp.
///
/// In a sweep along an axis, the register index runs along the tile's lines. By columns a lane
/// holds two columns, one pair per row. By rows it holds half of two rows, one pair per column
/// counted from the tile's side inwards: lane q the left halves of rows 2q and 2q + 1, lane 16 + q
/// the right halves. The pairs change from one order to the other through shared memory. The chunks
/// of 16 bytes are permuted there, so that lanes have no bank conflicts.
namespace seedwave::gpu {

struct PlaneTile {
  static constexpr int kWidth = 64;
  static constexpr int kHeight = 32;
  static constexpr int kCells = kWidth * kHeight;
  /// A copy of the sides of a tile, stored together for its neighbours to read: first and last row,
  /// first and last column.
  static constexpr int kRow = 0;
  static constexpr int kColumn = 2 * kWidth;
  static constexpr int kSides = 2 * kWidth + 2 * kHeight;
};

/// The neighbouring tiles as a lane sees them, or -1. `beside` and `corner` belong to the half of
/// the rows that the lane holds.
struct PlaneNeighbours {
  std::int32_t above;
  std::int32_t below;
  std::int32_t beside;
  std::int32_t corner;  // only for lanes that hold a corner of the tile
};

/// Returns -1 for the lanes that hold the left halves of rows, 1 for the right ones.
[[nodiscard]] __device__ inline int outwards(int lane) {
  return lane < 16 ? -1 : 1;
}
/// Returns the direction in y of the tile beyond the corner, for lanes that hold a corner; else 0.
[[nodiscard]] __device__ inline int cornerwards(int lane) {
  return lane % 16 == 0 ? -1 : (lane % 16 == 15 ? 1 : 0);
}
/// Returns the same value, but hides it from the compiler. Values derived from it are then
/// recomputed instead of being kept in registers.
[[nodiscard]] __device__ inline int forgotten(int value) {
  asm volatile("" : "+r"(value));
  return value;
}

/// The layout of a tile's cells in registers, shared and device memory.
template <typename Cell>
struct PlaneLayout {
  using Pair = PairOf<Cell>;
  static constexpr int kPairs = 32;  // per lane
  static constexpr bool kNarrow = sizeof(Pair) == 4;
  static constexpr int kRowPairs = PlaneTile::kHeight / 2;
  static constexpr int kPairsAChunk = 16 / static_cast<int>(sizeof(Pair));
  static constexpr int kChunks = kPairs / kPairsAChunk;  // per lane
  /// Number of pairs that a lane moves to and from device memory at once.
  static constexpr int kPairsAMove = 8 / static_cast<int>(sizeof(Cell));

  struct alignas(16) Chunk {
    Pair pair[kPairsAChunk];
  };
  struct alignas(sizeof(Pair) * 2) Two {
    Pair pair[2];
  };
  /// A tile by rows.
  using Rows = Chunk[kRowPairs][2][kChunks];

  // Device memory. A lane's pairs are placed so that a warp moves 512 bytes at once.
  [[nodiscard]] static __device__ std::int64_t move_at(std::int64_t tile, int lane) {
    return tile * PlaneTile::kCells + lane * 2 * kPairsAMove;
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
  [[nodiscard]] static __device__ std::int64_t row_at(std::int64_t tile, int lane) {
    return tile * PlaneTile::kSides + PlaneTile::kRow + 2 * lane;
  }
  [[nodiscard]] static __device__ std::int64_t side_at(std::int64_t tile, int lane) {
    return tile * PlaneTile::kSides + PlaneTile::kColumn + (lane / 16) * PlaneTile::kHeight +
           2 * (lane % 16);
  }
  static __device__ void publish(const Pair (&cells)[kPairs], Pair side, Cell* sides,
                                 std::int64_t tile, int lane) {
    Cell* rows = sides + row_at(tile, lane);
    cells[0].store(rows);
    cells[kPairs - 1].store(rows + PlaneTile::kWidth);
    side.store(sides + side_at(tile, lane));
  }

  /// Cells around a tile; the lowest value outside the plane.
  struct Around {
    Pair above;  // columns 2 lane and 2 lane + 1 of the row above
    Pair below;
    Pair beside;  // rows 2q and 2q + 1 of the column beside the lane's half
    /// The pair of that column beyond its upper end (lanes with q = 0) or its lower end (q = 15).
    Pair corner;
  };
  [[nodiscard]] static __device__ Around look(const Cell* sides, const PlaneNeighbours& next,
                                              int lane) {
    Around around{Pair::lowest(), Pair::lowest(), Pair::lowest(), Pair::lowest()};
    if (next.above >= 0)
      around.above = Pair::load(sides + row_at(next.above, lane) + PlaneTile::kWidth);
    if (next.below >= 0) around.below = Pair::load(sides + row_at(next.below, lane));
    if (next.beside >= 0) around.beside = Pair::load(sides + side_at(next.beside, lane ^ 16));
    if (next.corner >= 0) around.corner = Pair::load(sides + side_at(next.corner, lane ^ 31));
    return around;
  }

  // A row's pairs shifted by one cell to the right and to the left. At the tile's sides an inner
  // cell replaces the one outside.
  [[nodiscard]] static __device__ Pair from_left(Pair pair, int lane) {
    return Pair::between(pair.shuffled(lane == 0 ? 0 : lane - 1, 32), pair);
  }
  [[nodiscard]] static __device__ Pair from_right(Pair pair, int lane) {
    return Pair::between(pair, pair.shuffled(lane == 31 ? 31 : lane + 1, 32));
  }
  // The same along the column that the lanes of a half hold; `corner` is the pair beyond its ends.
  [[nodiscard]] static __device__ Pair from_above(Pair pair, Pair corner, int lane) {
    const int q = lane % 16;
    const Pair up = pair.shuffled(q == 0 ? 0 : q - 1, 16);
    return Pair::between(q == 0 ? corner : up, pair);
  }
  [[nodiscard]] static __device__ Pair from_below(Pair pair, Pair corner, int lane) {
    const int q = lane % 16;
    const Pair down = pair.shuffled(q == 15 ? 15 : q + 1, 16);
    return Pair::between(pair, q == 15 ? corner : down);
  }

  // Transfers between lanes that hold columns and lanes that hold rows, through shared memory.
  [[nodiscard]] static __device__ int place(int chunk, int row_pair) {
    return chunk ^ (row_pair & 7);
  }
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

 private:
  /// Returns the location of the two pairs of a lane's columns in a half of a row.
  template <typename Chunks>
  [[nodiscard]] static __device__ Two* two_at(Chunks& rows, int row_pair, int lane) {
    const int half = lane / 16;
    const int number = half == 0 ? lane : 31 - lane;  // from the side inwards
    constexpr int kTwosAChunk = kPairsAChunk / 2;
    Chunk& chunk = rows[row_pair][half][place(number / kTwosAChunk, row_pair)];
    return reinterpret_cast<Two*>(&chunk) + number % kTwosAChunk;
  }
};

}  // namespace seedwave::gpu
