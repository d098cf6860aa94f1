// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/geometry.h"
#include "gpu/wavefront/engine.cuh"

#include <cstdint>
#include <type_traits>

namespace seedwave::gpu {

/// Size of a tile; a whole number of warps. A 2-D tile has no rim above and below.
template <int width, int height, int depth>
struct TileShape {
  static constexpr int kWidth = width;
  static constexpr int kHeight = height;
  static constexpr int kDepth = depth;
  static_assert(width * height * depth % 32 == 0);
};
using PlanarShape = TileShape<32, 16, 1>;
using SolidShape = TileShape<8, 8, 8>;

/// A grid's cells in device memory: x fastest, rows `pitch` cells apart.
struct TiledExtent {
  int size[3];
  std::int64_t pitch;

  [[nodiscard]] __host__ __device__ bool contains(int x, int y, int z) const {
    return x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2];
  }
};

/// A grid divided into tiles whose cells a warp keeps in shared memory with a rim of one cell.
/// Common base of the Tiles of engine.cuh that process their cells in plain loops.
///
/// A lane processes one cell per turn, and `raise` loops over the turns. The derived class defines
/// the offers.
template <typename Shape>
class SharedTile {
 public:
  static constexpr int kThreads = 128;
  static constexpr int kBlocks = 4;
  static constexpr int kWidth = Shape::kWidth;
  static constexpr int kHeight = Shape::kHeight;
  static constexpr int kDepth = Shape::kDepth;

  explicit SharedTile(const TiledExtent& extent) : extent_(extent) {
    for (int axis = 0; axis < 3; ++axis)
      tiles_[axis] = tiles_along(axis, extent.size[axis]);
  }
  [[nodiscard]] std::int64_t tile_count() const {
    return std::int64_t{tiles_[0]} * tiles_[1] * tiles_[2];
  }
  /// Returns the number of tiles of a grid of this size.
  [[nodiscard]] static std::int64_t tile_count(const Index3& size) {
    std::int64_t count = 1;
    for (int axis = 0; axis < 3; ++axis)
      count *= tiles_along(axis, size[static_cast<std::size_t>(axis)]);
    return count;
  }

 protected:
  static constexpr unsigned kAll = 0xFFFFFFFFU;
  static constexpr int kCells = kWidth * kHeight * kDepth;
  static constexpr int kTurns = kCells / 32;
  static constexpr int kRim = kDepth == 1 ? 0 : 1;  // along z
  static constexpr int kRimmedRow = kWidth + 2;
  static constexpr int kRimmedPlane = kRimmedRow * (kHeight + 2);
  static constexpr int kRimmed = kRimmedPlane * (kDepth + 2 * kRim);
  /// The index of this tile among the 27 tiles around and including it.
  static constexpr int kHere = 13;

  struct Place {
    int x;
    int y;
    int z;
  };
  /// A cell of a tile, as processed by a lane in a turn.
  struct Cell {
    Place in_tile;
    bool inside;          // the grid
    std::int64_t offset;  // within the grid
    int rimmed;           // within the tile with its rim
  };

  [[nodiscard]] __device__ Place first_of(std::int32_t tile) const {
    return {tile % tiles_[0] * kWidth, tile / tiles_[0] % tiles_[1] * kHeight,
            tile / (tiles_[0] * tiles_[1]) * kDepth};
  }
  [[nodiscard]] __device__ bool contains(const Place& at) const {
    return extent_.contains(at.x, at.y, at.z);
  }
  [[nodiscard]] __device__ std::int64_t offset_of(const Place& at) const {
    return at.x + extent_.pitch * (at.y + std::int64_t{extent_.size[1]} * at.z);
  }
  [[nodiscard]] __device__ Cell cell_of(int turn, int lane, const Place& first) const {
    const int i = turn * 32 + lane;
    const Place at{i % kWidth, i / kWidth % kHeight, i / (kWidth * kHeight)};
    const Place in_grid{first.x + at.x, first.y + at.y, first.z + at.z};
    return {.in_tile = at,
            .inside = contains(in_grid),
            .offset = offset_of(in_grid),
            .rimmed = at.x + 1 + kRimmedRow * (at.y + 1) + kRimmedPlane * (at.z + kRim)};
  }
  /// Returns the position, relative to the tile, of a cell of the tile with its rim.
  [[nodiscard]] static __device__ Place rimmed_place(int i) {
    return {i % kRimmedRow - 1, i / kRimmedRow % (kHeight + 2) - 1, i / kRimmedPlane - kRim};
  }
  [[nodiscard]] static __device__ int rimmed_step(const NeighbourStep& step) {
    return step.dx + kRimmedRow * step.dy + kRimmedPlane * step.dz;
  }
  /// Returns the index of the tile, among the 27, that contains a position in the tile or its rim.
  [[nodiscard]] static __device__ int away(const Place& at) {
    const int x = at.x < 0 ? 0 : (at.x < kWidth ? 1 : 2);
    const int y = at.y < 0 ? 0 : (at.y < kHeight ? 1 : 2);
    const int z = at.z < 0 ? 0 : (at.z < kDepth ? 1 : 2);
    return x + 3 * (y + 3 * z);
  }

  /// Loads a tile's cells and its rim past the L1 cache, with State{} outside the grid. A lane
  /// issues `at_once` loads at once.
  template <int at_once, typename State>
  __device__ void load(const State* plane, const Place& first, int lane,
                       State (&cells)[kRimmed]) const {
#pragma unroll at_once
    for (int i = lane; i < kRimmed; i += 32) {
      const Place in_tile = rimmed_place(i);
      const Place at{first.x + in_tile.x, first.y + in_tile.y, first.z + in_tile.z};
      cells[i] = contains(at) ? fresh(plane + offset_of(at)) : State{};
    }
  }
  /// Stores the cells without the rim.
  template <typename State>
  __device__ void store(State* plane, const Place& first, int lane,
                        const State (&cells)[kRimmed]) const {
    for (int turn = 0; turn < kTurns; ++turn) {
      const Cell cell = cell_of(turn, lane, first);
      if (cell.inside) plane[cell.offset] = cells[cell.rimmed];
    }
  }

  /// Tells whether any cell rose, and whether more may.
  struct Rise {
    bool any;
    bool more;
  };
  /// Calls take(turn, cell) for all cells in forward and reverse order, for at most `most_rounds`
  /// rounds or until nothing rises. take() returns the new value of a cell; it is ignored for a
  /// cell outside the grid.
  template <int most_rounds, typename State, typename Take>
  [[nodiscard]] __device__ Rise raise(const Place& first, int lane, State (&cells)[kRimmed],
                                      const Take& take) const {
    Rise rise{false, true};
    for (int round = 0; round < most_rounds && rise.more; ++round) {
      bool rose = false;
      for (int i = 0; i < 2 * kTurns; ++i) {
        const int turn = i < kTurns ? i : 2 * kTurns - 1 - i;
        const Cell cell = cell_of(turn, lane, first);
        const State now = take(turn, cell);
        const bool rises = cell.inside && !(now == cells[cell.rimmed]);
        rose |= rises;
        __syncwarp();
        if (rises) cells[cell.rimmed] = now;
        __syncwarp();
      }
      rise.more = __any_sync(kAll, rose);
      rise.any |= rise.more;
    }
    return rise;
  }

  /// Returns the tile to wake, one per lane, or -1. gaining: bits away() of the tiles that this
  /// lane saw gain. The known state of a tile may be old. It may then be woken needlessly, but is
  /// never missed.
  [[nodiscard]] __device__ std::int32_t wake_of(std::int32_t tile, int lane,
                                                unsigned gaining) const {
    gaining = __reduce_or_sync(kAll, gaining) & ~(1U << kHere);
    if (lane >= 27 || (gaining >> lane & 1U) == 0) return -1;
    return tile + (lane % 3 - 1) + tiles_[0] * ((lane / 3 % 3 - 1) + tiles_[1] * (lane / 9 - 1));
  }

 private:
  template <typename Length>
  [[nodiscard]] static Length tiles_along(int axis, Length length) {
    constexpr int kLengths[3] = {kWidth, kHeight, kDepth};
    return (length + kLengths[axis] - 1) / kLengths[axis];
  }
  /// Reads the whole state from the L2 cache.
  template <typename State>
  [[nodiscard]] static __device__ State fresh(const State* at) {
    // Otherwise a neighbour could read a torn state.
    static_assert(sizeof(State) == 1 || sizeof(State) == 2 || sizeof(State) == 4 ||
                  sizeof(State) == 8);
    using Word = std::conditional_t<
        sizeof(State) == 8, unsigned long long,
        std::conditional_t<sizeof(State) == 4, unsigned,
                           std::conditional_t<sizeof(State) == 2, unsigned short, unsigned char>>>;
    const Word word = __ldcg(reinterpret_cast<const Word*>(at));
    State state;
    memcpy(&state, &word, sizeof state);
    return state;
  }

  TiledExtent extent_;
  int tiles_[3];
};

}  // namespace seedwave::gpu
