// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/wavefront/label_rules.h"
#include "core/wavefront/rules.h"
#include "gpu/fuzzy/affinity.h"
#include "gpu/wavefront/engine.cuh"

#include <cstdint>

/// Connectedness with any neighbourhood, over a plane of affinities for each step ahead: tiles in
/// shared memory, whose cells ask all neighbours at once, so that their affinities are in flight
/// together.
namespace seedwave::gpu {

/// A grid cut into tiles, with `ahead` steps ahead; kWidth and so on are a tile's.
///
/// An affinity is 0 where its edge leaves the grid. So whatever lies at a cell's offset less a
/// step's is a neighbour or does not count.
template <int ahead>
class EdgeTiles {
 public:
  static constexpr bool kPlanar = ahead == 4;
  static constexpr int kThreads = 128;
  static constexpr int kBlocks = 4;
  static constexpr int kWidth = kPlanar ? 32 : 8;
  static constexpr int kHeight = kPlanar ? 16 : 8;
  static constexpr int kDepth = kPlanar ? 1 : 8;

  explicit EdgeTiles(const DeviceAffinity& affinity)
      : planes_(affinity.planes.data()), grid_(affinity.grid) {
    for (int s = 0; s < ahead; ++s) {
      step_[s] = affinity.steps.step[s];
      offset_[s] = grid_.offset(step_[s].dx, step_[s].dy, step_[s].dz);
    }
    tiles_[0] = static_cast<int>((grid_.nx + kWidth - 1) / kWidth);
    tiles_[1] = static_cast<int>((grid_.ny + kHeight - 1) / kHeight);
    tiles_[2] = static_cast<int>((grid_.nz + kDepth - 1) / kDepth);
  }
  [[nodiscard]] std::int64_t tile_count() const {
    return std::int64_t{tiles_[0]} * tiles_[1] * tiles_[2];
  }

 protected:
  static constexpr unsigned kAll = 0xFFFFFFFFU;
  static constexpr int kCells = kWidth * kHeight * kDepth;
  static constexpr int kTurns = kCells / 32;
  // With a rim of one cell, in a plane only around it.
  static constexpr int kRim = kPlanar ? 0 : 1;
  static constexpr int kRimmedRow = kWidth + 2;
  static constexpr int kRimmedPlane = kRimmedRow * (kHeight + 2);
  static constexpr int kRimmed = kRimmedPlane * (kDepth + 2 * kRim);
  /// Rounds of a visit; what is left waits for the next, and for what neighbours bring by then.
  static constexpr int kMostRounds = 6;

  struct Place {
    int x;
    int y;
    int z;
  };
  /// A cell of a tile, as a lane sees it in a turn.
  struct Cell {
    Place in_tile;
    bool inside;          // of the grid
    std::int64_t offset;  // among the grid's cells
    int rimmed;           // among the tile's with its rim
  };
  /// Towards the neighbours, of each step ahead and the same step back.
  struct Affinities {
    std::uint16_t ahead_of[ahead];
    std::uint16_t behind[ahead];
  };

  [[nodiscard]] __device__ Place first_of(std::int32_t tile) const {
    return {tile % tiles_[0] * kWidth, tile / tiles_[0] % tiles_[1] * kHeight,
            tile / (tiles_[0] * tiles_[1]) * kDepth};
  }
  [[nodiscard]] __device__ Cell cell_of(int turn, int lane, const Place& first) const {
    const int i = turn * 32 + lane;
    const Place at{i % kWidth, i / kWidth % kHeight, i / (kWidth * kHeight)};
    return {.in_tile = at,
            .inside = grid_.contains(first.x + at.x, first.y + at.y, first.z + at.z),
            .offset = grid_.offset(first.x + at.x, first.y + at.y, first.z + at.z),
            .rimmed = at.x + 1 + kRimmedRow * (at.y + 1) + kRimmedPlane * (at.z + kRim)};
  }
  [[nodiscard]] __device__ int rimmed_step(int s) const {
    return step_[s].dx + kRimmedRow * step_[s].dy + kRimmedPlane * step_[s].dz;
  }
  [[nodiscard]] __device__ Affinities affinities_of(const Cell& cell) const {
    Affinities affinities{};
    if (!cell.inside) return affinities;
#pragma unroll
    for (int s = 0; s < ahead; ++s) {
      const std::uint16_t* const plane = planes_ + s * grid_.cells() + cell.offset;
      affinities.ahead_of[s] = __ldg(plane);
      affinities.behind[s] = cell.offset >= offset_[s] ? __ldg(plane - offset_[s]) : 0;
    }
    return affinities;
  }

  /// A tile's cells and its rim, 0 outside the grid, past the first-level cache.
  __device__ void take_rimmed(const std::uint16_t* plane, const Place& first, int lane,
                              std::uint16_t (&cells)[kRimmed]) const {
#pragma unroll 8
    for (int i = lane; i < kRimmed; i += 32) {
      const int x = first.x + i % kRimmedRow - 1;
      const int y = first.y + i / kRimmedRow % (kHeight + 2) - 1;
      const int z = first.z + i / kRimmedPlane - kRim;
      cells[i] = grid_.contains(x, y, z) ? __ldcg(plane + grid_.offset(x, y, z)) : 0;
    }
  }
  __device__ void put(std::uint16_t* plane, const Place& first, int lane,
                      const std::uint16_t (&cells)[kRimmed]) const {
    for (int turn = 0; turn < kTurns; ++turn) {
      const Cell cell = cell_of(turn, lane, first);
      if (cell.inside) plane[cell.offset] = cells[cell.rimmed];
    }
  }

  /// Calls take(turn, cell) for all cells there and back, until nothing rises or it is enough.
  /// take() gives what a cell becomes. Returns whether anything rose, and whether more may.
  struct Rise {
    bool any;
    bool more;
  };
  template <typename Take>
  [[nodiscard]] __device__ Rise raise(const Place& first, int lane, std::uint16_t (&cells)[kRimmed],
                                      const Take& take) const {
    Rise rise{false, true};
    for (int round = 0; round < kMostRounds && rise.more; ++round) {
      bool rose = false;
      for (int i = 0; i < 2 * kTurns; ++i) {
        const int turn = i < kTurns ? i : 2 * kTurns - 1 - i;
        const Cell cell = cell_of(turn, lane, first);
        const std::uint16_t now = take(turn, cell);
        const bool rises = cell.inside && now != cells[cell.rimmed];
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

  /// The neighbouring tiles, one in each lane, of which a cell gains: gains(cell, affinity, other)
  /// says whether that cell's neighbour does, at `other` of the rimmed ones. What is known of it
  /// may be old: then it is woken in vain, never forgotten.
  template <typename Gains>
  [[nodiscard]] __device__ std::int32_t woken(std::int32_t tile, const Place& first, int lane,
                                              const Gains& gains) const {
    unsigned gaining = 0;
    for (int turn = 0; turn < kTurns; ++turn) {
      const Cell cell = cell_of(turn, lane, first);
      const Affinities affinities = affinities_of(cell);
#pragma unroll
      for (int s = 0; s < ahead; ++s) {
        const Place to{cell.in_tile.x + step_[s].dx, cell.in_tile.y + step_[s].dy,
                       cell.in_tile.z + step_[s].dz};
        const Place back{cell.in_tile.x - step_[s].dx, cell.in_tile.y - step_[s].dy,
                         cell.in_tile.z - step_[s].dz};
        const int step = rimmed_step(s);
        if (gains(cell, affinities.ahead_of[s], cell.rimmed + step)) gaining |= 1U << away(to);
        if (gains(cell, affinities.behind[s], cell.rimmed - step)) gaining |= 1U << away(back);
      }
    }
    gaining = __reduce_or_sync(kAll, gaining) & ~(1U << 13);
    if (lane >= 27 || (gaining >> lane & 1U) == 0) return -1;
    return tile + (lane % 3 - 1) + tiles_[0] * ((lane / 3 % 3 - 1) + tiles_[1] * (lane / 9 - 1));
  }

 private:
  /// Which tile a place of this one's or its rim is in: 13 this one.
  [[nodiscard]] static __device__ int away(const Place& at) {
    const int x = at.x < 0 ? 0 : (at.x < kWidth ? 1 : 2);
    const int y = at.y < 0 ? 0 : (at.y < kHeight ? 1 : 2);
    const int z = at.z < 0 ? 0 : (at.z < kDepth ? 1 : 2);
    return x + 3 * (y + 3 * z);
  }

  const std::uint16_t* planes_;
  Grid grid_;
  Step step_[ahead];
  std::int64_t offset_[ahead];
  int tiles_[3];
};

/// StrengthRule; all tiles are to be queued.
template <int ahead>
class StrengthEdgeTiles : public EdgeTiles<ahead> {
  using Tiles = EdgeTiles<ahead>;
  using Rule = StrengthRule<std::uint16_t>;

 public:
  struct Scratch {
    std::uint16_t strength[Tiles::kRimmed];
  };
  StrengthEdgeTiles(const DeviceAffinity& affinity, std::uint16_t* strength)
      : Tiles(affinity), strength_(strength) {}

  __device__ TileVisitEnd visit(std::int32_t tile, int lane, Scratch& scratch) const {
    const auto first = this->first_of(tile);
    std::uint16_t(&h)[Tiles::kRimmed] = scratch.strength;
    __syncwarp();
    this->take_rimmed(strength_, first, lane, h);
    __syncwarp();
    const auto rise = this->raise(first, lane, h, [&](int, const typename Tiles::Cell& cell) {
      const auto affinities = this->affinities_of(cell);
      std::uint16_t now = h[cell.rimmed];
#pragma unroll
      for (int s = 0; s < ahead; ++s) {
        const int step = this->rimmed_step(s);
        now = Rule::join(now, Rule::transfer(h[cell.rimmed + step], affinities.ahead_of[s]));
        now = Rule::join(now, Rule::transfer(h[cell.rimmed - step], affinities.behind[s]));
      }
      return now;
    });
    if (!rise.any) return {-1, false};
    this->put(strength_, first, lane, h);
    const auto gains = [&](const typename Tiles::Cell& cell, std::uint16_t affinity, int other) {
      return Rule::transfer(h[cell.rimmed], affinity) > h[other];
    };
    return {this->woken(tile, first, lane, gains), rise.more};
  }

 private:
  std::uint16_t* strength_;
};

/// LabelRule over finished strengths; all tiles are to be queued.
template <int ahead>
class LabelEdgeTiles : public EdgeTiles<ahead> {
  using Tiles = EdgeTiles<ahead>;

 public:
  struct Scratch {
    std::uint16_t label[Tiles::kRimmed];
    std::uint16_t strength[Tiles::kRimmed];
    /// Of each cell, the neighbours whose label it takes: two bits a step.
    std::uint32_t taking[Tiles::kCells];
  };
  LabelEdgeTiles(const DeviceAffinity& affinity, const std::uint16_t* strength,
                 std::uint16_t* labels)
      : Tiles(affinity), strength_(strength), labels_(labels) {}

  __device__ TileVisitEnd visit(std::int32_t tile, int lane, Scratch& scratch) const {
    const auto first = this->first_of(tile);
    std::uint16_t(&label)[Tiles::kRimmed] = scratch.label;
    const std::uint16_t(&h)[Tiles::kRimmed] = scratch.strength;
    __syncwarp();
    this->take_rimmed(labels_, first, lane, label);
    this->take_rimmed(strength_, first, lane, scratch.strength);
    __syncwarp();
    for (int turn = 0; turn < Tiles::kTurns; ++turn)
      scratch.taking[turn * 32 + lane] = taking(this->cell_of(turn, lane, first), h);
    const auto rise = this->raise(first, lane, label, [&](int turn, const auto& cell) {
      const std::uint32_t taking = scratch.taking[turn * 32 + lane];
      std::uint16_t now = label[cell.rimmed];
#pragma unroll
      for (int s = 0; s < ahead; ++s) {
        const int step = this->rimmed_step(s);
        const std::uint16_t from = label[cell.rimmed + step];
        const std::uint16_t back = label[cell.rimmed - step];
        now = LabelRule::join(now, (taking >> 2 * s & 1U) != 0 ? from : 0);
        now = LabelRule::join(now, (taking >> 2 * s & 2U) != 0 ? back : 0);
      }
      return now;
    });
    if (!rise.any) return {-1, false};
    this->put(labels_, first, lane, label);
    const auto gains = [&](const typename Tiles::Cell& cell, std::uint16_t affinity, int other) {
      return LabelRule::passes(h[cell.rimmed], affinity, h[other]) &&
             LabelRule::join(label[other], label[cell.rimmed]) != label[other];
    };
    return {this->woken(tile, first, lane, gains), rise.more};
  }

 private:
  [[nodiscard]] __device__ std::uint32_t taking(const typename Tiles::Cell& cell,
                                                const std::uint16_t (&h)[Tiles::kRimmed]) const {
    const auto affinities = this->affinities_of(cell);
    const std::uint16_t own = h[cell.rimmed];
    std::uint32_t bits = 0;
#pragma unroll
    for (int s = 0; s < ahead; ++s) {
      const int step = this->rimmed_step(s);
      if (LabelRule::passes(h[cell.rimmed + step], affinities.ahead_of[s], own))
        bits |= 1U << 2 * s;
      if (LabelRule::passes(h[cell.rimmed - step], affinities.behind[s], own)) bits |= 2U << 2 * s;
    }
    return bits;
  }

  const std::uint16_t* strength_;
  std::uint16_t* labels_;
};

}  // namespace seedwave::gpu
