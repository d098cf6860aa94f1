// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/answer.h"
#include "core/image/connectivity.h"
#include "core/wavefront/label_rules.h"
#include "core/wavefront/strength_rules.h"
#include "gpu/fuzzy/affinity.h"
#include "gpu/fuzzy/irfc_on_planes.h"
#include "gpu/fuzzy/relative.cuh"
#include "gpu/fuzzy/run.h"
#include "gpu/fuzzy/tiles.h"
#include "gpu/wavefront/shared_tile.cuh"

#include <cassert>
#include <cstdint>
#include <type_traits>

namespace seedwave::gpu {
namespace {

// Connectedness with any neighbourhood, over one plane of affinities per step ahead. Tiles lie in
// shared memory. A cell reads all neighbours at once, so that their affinities are in flight
// together.

template <int ahead>
using ShapeOfEdgeTiles = std::conditional_t<ahead == 4, PlanarShape, SolidShape>;

[[nodiscard]] TiledExtent extent_of(const Grid& grid) {
  return {{static_cast<int>(grid.nx), static_cast<int>(grid.ny), static_cast<int>(grid.nz)},
          grid.pitch};
}

/// Tiles of a grid with `ahead` steps ahead.
///
/// An affinity is 0 if its edge leaves the grid. The cell at a cell's offset minus a step's is
/// therefore a neighbour or has no effect.
template <int ahead>
class EdgeTiles : public SharedTile<ShapeOfEdgeTiles<ahead>> {
 protected:
  using Tile = SharedTile<ShapeOfEdgeTiles<ahead>>;
  using typename Tile::Cell;
  using typename Tile::Place;
  /// Maximum rounds per visit. The rest is left to the next visit, which also sees the neighbours'
  /// changes until then.
  static constexpr int kMostRounds = 6;
  static constexpr int kLoadsAtOnce = 8;

  explicit EdgeTiles(const DeviceAffinity& affinity)
      : Tile(extent_of(affinity.grid)),
        planes_(affinity.planes.data()),
        plane_cells_(affinity.grid.cells()) {
    for (int s = 0; s < ahead; ++s) {
      step_[s] = affinity.steps.step[s];
      offset_[s] = affinity.grid.offset(step_[s].dx, step_[s].dy, step_[s].dz);
    }
  }

  /// Affinities to the neighbours, for each step ahead and the same step back.
  struct Affinities {
    std::uint16_t ahead_of[ahead];
    std::uint16_t behind[ahead];
  };

  [[nodiscard]] __device__ int rimmed_step(int s) const { return Tile::rimmed_step(step_[s]); }
  [[nodiscard]] __device__ Affinities affinities_of(const Cell& cell) const {
    Affinities affinities{};
    if (!cell.inside) return affinities;
#pragma unroll
    for (int s = 0; s < ahead; ++s) {
      const std::uint16_t* const plane = planes_ + s * plane_cells_ + cell.offset;
      affinities.ahead_of[s] = __ldg(plane);
      affinities.behind[s] = cell.offset >= offset_[s] ? __ldg(plane - offset_[s]) : 0;
    }
    return affinities;
  }

  /// Returns the neighbouring tiles, one per lane, in which a cell gains. gains(cell, affinity,
  /// other) tells whether the neighbour of `cell` gains; `other` is its index among the rimmed
  /// cells.
  template <typename Gains>
  [[nodiscard]] __device__ std::int32_t woken(std::int32_t tile, const Place& first, int lane,
                                              const Gains& gains) const {
    unsigned gaining = 0;
    for (int turn = 0; turn < Tile::kTurns; ++turn) {
      const Cell cell = this->cell_of(turn, lane, first);
      const Affinities affinities = affinities_of(cell);
#pragma unroll
      for (int s = 0; s < ahead; ++s) {
        const Place to{cell.in_tile.x + step_[s].dx, cell.in_tile.y + step_[s].dy,
                       cell.in_tile.z + step_[s].dz};
        const Place back{cell.in_tile.x - step_[s].dx, cell.in_tile.y - step_[s].dy,
                         cell.in_tile.z - step_[s].dz};
        const int step = rimmed_step(s);
        if (gains(cell, affinities.ahead_of[s], cell.rimmed + step)) {
          gaining |= 1U << Tile::away(to);
        }
        if (gains(cell, affinities.behind[s], cell.rimmed - step)) {
          gaining |= 1U << Tile::away(back);
        }
      }
    }
    return this->wake_of(tile, lane, gaining);
  }

 private:
  const std::uint16_t* planes_;
  std::int64_t plane_cells_;
  NeighbourStep step_[ahead];
  std::int64_t offset_[ahead];
};

/// Tiles for StrengthRule. Queue all tiles at the start.
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
    this->template load<Tiles::kLoadsAtOnce>(strength_, first, lane, h);
    __syncwarp();
    const auto rise = this->template raise<Tiles::kMostRounds>(
        first, lane, h, [&](int, const typename Tiles::Cell& cell) {
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
    this->store(strength_, first, lane, h);
    const auto gains = [&](const typename Tiles::Cell& cell, std::uint16_t affinity, int other) {
      return Rule::transfer(h[cell.rimmed], affinity) > h[other];
    };
    return {this->woken(tile, first, lane, gains), rise.more};
  }

 private:
  std::uint16_t* strength_;
};

/// Tiles for LabelRule over finished strengths. Queue all tiles at the start.
template <int ahead>
class LabelEdgeTiles : public EdgeTiles<ahead> {
  using Tiles = EdgeTiles<ahead>;

 public:
  struct Scratch {
    std::uint16_t label[Tiles::kRimmed];
    std::uint16_t strength[Tiles::kRimmed];
    /// The neighbours from which each cell takes its label: two bits per step.
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
    this->template load<Tiles::kLoadsAtOnce>(labels_, first, lane, label);
    this->template load<Tiles::kLoadsAtOnce>(strength_, first, lane, scratch.strength);
    __syncwarp();
    for (int turn = 0; turn < Tiles::kTurns; ++turn)
      scratch.taking[turn * 32 + lane] = taking(this->cell_of(turn, lane, first), h);
    const auto rise = this->template raise<Tiles::kMostRounds>(
        first, lane, label, [&](int turn, const auto& cell) {
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
    this->store(labels_, first, lane, label);
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

using Plane = DeviceBuffer<std::uint16_t>;

template <typename Tiles>
void grow(const Tiles& tiles, Context& context, const Stream& stream) {
  DeviceQueue queue(tiles.tile_count(), stream);
  queue.queue_all(stream);
  run_tiles(queue, tiles, context, stream);
}

/// Calls solve(std::integral_constant<int, steps ahead>).
template <typename Solve>
void with_steps(const DeviceAffinity& affinity, const Solve& solve) {
  switch (affinity.steps.count) {
    case 4:
      return solve(std::integral_constant<int, 4>());
    case 9:
      return solve(std::integral_constant<int, 9>());
    default:
      assert(affinity.steps.count == 13);
      return solve(std::integral_constant<int, 13>());
  }
}

void grow_strength(const DeviceAffinity& affinity, Plane& strength, Context& context,
                   const Stream& stream) {
  with_steps(affinity, [&](auto ahead) {
    grow(StrengthEdgeTiles<ahead>(affinity, strength.data()), context, stream);
  });
}

void grow_labels(const DeviceAffinity& affinity, const Plane& strength, Plane& labels,
                 Context& context, const Stream& stream) {
  with_steps(affinity, [&](auto ahead) {
    grow(LabelEdgeTiles<ahead>(affinity, strength.data(), labels.data()), context, stream);
  });
}

}  // namespace

fuzzy::Answer rfc_on_edge_tiles(const fuzzy::Problem& problem, Context& context) {
  Run run(problem, context);
  const auto affinity = affinity_on_device(problem, context, run.stream, run.clock);
  run.clock.begin("propagate");
  auto best = run.zeros();
  auto owner = run.zeros();
  for (const std::uint16_t label : fuzzy::labels_of(problem.seeds)) {
    auto strength = run.zeros();
    run.seeds.mark_classes(label, fuzzy::kFullStrength, 0, run.grid, strength, run.stream);
    grow_strength(*affinity, strength, context, run.stream);
    join_relative(strength, label, best, owner, run.stream);
  }
  run.seeds.mark_labels(run.grid, owner, run.stream);
  return run.download(owner, best);
}

fuzzy::Answer irfc_on_edge_tiles(const fuzzy::Problem& problem, Context& context) {
  return irfc_on_planes(
      problem, context,
      [&](const DeviceAffinity& affinity, Plane& strength, const Run& run) {
        grow_strength(affinity, strength, context, run.stream);
      },
      [&](const DeviceAffinity& affinity, const Plane& strength, Plane& labels, const Run& run) {
        grow_labels(affinity, strength, labels, context, run.stream);
      });
}

std::int64_t edge_tiles_bytes(const Geometry& geometry, Connectivity connectivity, bool masked) {
  constexpr std::int64_t kPlanes = 3;  // rfc: strength, best, owner
  const Grid grid = Grid::of(geometry);
  const bool planar = Steps::ahead(connectivity).count == 4;
  const std::int64_t tiles = planar ? SharedTile<PlanarShape>::tile_count(geometry.size)
                                    : SharedTile<SolidShape>::tile_count(geometry.size);
  return affinity_bytes(geometry, connectivity, masked) +
         (grid.cells() * kPlanes + most_block_cells(grid)) * 2 + DeviceQueue::bytes(tiles);
}

}  // namespace seedwave::gpu
