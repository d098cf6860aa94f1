// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/wavefront/plane_layout.cuh"

#include <cstdint>

namespace seedwave::gpu {

/// A law for PlaneTiles in which cells rise to their neighbours under individual limits, as in
/// reconstruction by dilation (core's RiseRule), with 4 or 8 neighbours. In device memory limits
/// have the layout of cells.
template <typename CellType, bool with_diagonals>
class LimitLaw {
 public:
  using Cell = CellType;
  static constexpr bool kDiagonals = with_diagonals;
  using Layout = PlaneLayout<Cell>;
  using Pair = typename Layout::Pair;
  static constexpr int kPairs = Layout::kPairs;

  Cell* limits;
  Cell* limit_sides;

  /// The shared memory of a warp: the limits by rows.
  struct Shared {
    typename Layout::Rows limits;
  };
  /// The part of a tile that a lane holds.
  struct Own {
    Pair limits[kPairs];
    Pair side;
  };
  /// The surrounding cells that a lane holds.
  using Beyond = typename Layout::Around;
  /// The part that a sweep along rows reads at once.
  using RowPart = typename Layout::Chunk;

  /// Writes the given limits, by columns, to device memory.
  __device__ void begin(std::int32_t tile, int lane, Shared& shared, Own& own) const {
    Layout::store(own.limits, limits, tile, forgotten(lane));
    share(own, lane, shared);
    own.side = row_part(shared, 0, lane).pair[0];
    Layout::publish(own.limits, own.side, limit_sides, tile, forgotten(lane));
  }
  __device__ void load(std::int32_t tile, int lane, Own& own) const {
    Layout::load(limits, tile, lane, own.limits);
    own.side = Pair::load(limit_sides + Layout::side_at(tile, lane));
  }
  [[nodiscard]] __device__ Beyond look(const PlaneNeighbours& next, int lane) const {
    return Layout::look(limit_sides, next, lane);
  }
  /// Call before rows are swept.
  static __device__ void share(const Own& own, int lane, Shared& shared) {
    Layout::put_columns(own.limits, lane, shared.limits);
  }

  static __device__ void forget(Own&) {}
  /// Returns a pair that passes nothing on.
  [[nodiscard]] static __device__ Pair none() { return Pair::lowest(); }

  // A row after the row before it passes on.
  [[nodiscard]] static __device__ Pair down(const Own& own, int y, Pair cell, Pair from, int lane) {
    return lower(higher(cell, along_row(from, lane)), own.limits[y]);
  }
  [[nodiscard]] static __device__ Pair up(const Own& own, int y, Pair cell, Pair from, int lane) {
    return down(own, y, cell, from, lane);
  }
  // A column after the column before it passes on. Diagonals are left to the rows.
  [[nodiscard]] static __device__ RowPart row_part(const Shared& shared, int chunk, int lane) {
    return shared.limits[lane % 16][lane / 16][Layout::place(chunk, lane % 16)];
  }
  [[nodiscard]] static __device__ Pair inwards(const Own&, const RowPart& part, int x, Pair cell,
                                               Pair from) {
    return lower(higher(cell, from), part.pair[x % Layout::kPairsAChunk]);
  }
  [[nodiscard]] static __device__ Pair outwards(const Own& own, const RowPart& part, int x,
                                                Pair cell, Pair from) {
    return inwards(own, part, x, cell, from);
  }
  /// Returns the cells that the column at the tile's side takes from the column beyond it.
  [[nodiscard]] static __device__ Pair taken_from_beside(const Own& own, Pair beside, Pair corner,
                                                         int lane) {
    return lower(along_column(beside, corner, lane), own.side);
  }

  // The cells that neighbours take from a tile's first row, last row, side and corner.
  [[nodiscard]] static __device__ Pair taken_above(const Beyond& beyond, Pair first_row, int lane) {
    return lower(along_row(first_row, lane), beyond.above);
  }
  [[nodiscard]] static __device__ Pair taken_below(const Beyond& beyond, Pair last_row, int lane) {
    return lower(along_row(last_row, lane), beyond.below);
  }
  [[nodiscard]] static __device__ Pair taken_beside(const Beyond& beyond, Pair side, int lane) {
    return lower(along_column(side, Pair::lowest(), lane), beyond.beside);
  }
  /// dy: direction of the corner; side: of the lane that holds it.
  [[nodiscard]] static __device__ auto taken_beyond_corner(const Beyond& beyond, Pair side,
                                                           int dy) {
    return dy < 0 ? min(side.first(), beyond.corner.second())
                  : min(side.second(), beyond.corner.first());
  }

 private:
  /// Returns the maximum of a row's pairs and, with diagonals, of those one cell to the left and
  /// right. At the tile's sides the inner cell replaces the one outside; it is a neighbour too.
  [[nodiscard]] static __device__ Pair along_row(Pair pair, int lane) {
    if constexpr (!kDiagonals) return pair;
    return highest(pair, Layout::from_left(pair, lane), Layout::from_right(pair, lane));
  }
  [[nodiscard]] static __device__ Pair along_column(Pair pair, Pair corner, int lane) {
    if constexpr (!kDiagonals) return pair;
    return highest(pair, Layout::from_above(pair, corner, lane),
                   Layout::from_below(pair, corner, lane));
  }
};

}  // namespace seedwave::gpu
