// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/geometry.h"
#include "core/parallel/context.h"
#include "core/wavefront/rule.h"
#include "gpu/device/buffer.h"
#include "gpu/wavefront/engine.cuh"
#include "gpu/wavefront/shared_tile.cuh"

#include <cstdint>

/// Any rule (core/wavefront/rule.h) on any grid of a device. The counterpart of core's
/// rule_tiles.h: plain loops over tiles in shared memory. The rule's pointers refer to device
/// memory; its functions are SEEDWAVE_HD. Performance-critical rules are swept in registers by
/// other tiles (plane_tiles.cuh).
namespace seedwave::gpu {

/// The grid and its neighbourhood, as passed to a kernel.
struct RuleGrid {
  static constexpr int kMost = 26;

  [[nodiscard]] static RuleGrid of(const Index3& size, Connectivity connectivity) {
    RuleGrid grid{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      grid.extent.size[axis] = static_cast<int>(size[axis]);
    grid.extent.pitch = size[0];
    for (const NeighbourStep& step : neighbour_steps(connectivity)) {
      grid.step[grid.steps] = step;
      grid.offset[grid.steps++] = step.dx + size[0] * (step.dy + size[1] * step.dz);
    }
    return grid;
  }

  /// Returns whether a step from a cell ends inside the grid.
  [[nodiscard]] __device__ bool leads_inside(std::int64_t cell, int s) const {
    const auto nx = extent.size[0];
    const auto ny = extent.size[1];
    return extent.contains(static_cast<int>(cell % nx) + step[s].dx,
                           static_cast<int>(cell / nx % ny) + step[s].dy,
                           static_cast<int>(cell / nx / ny) + step[s].dz);
  }

  TiledExtent extent;
  int steps;
  NeighbourStep step[kMost];
  std::int64_t offset[kMost];
};

/// The rule-specific part of a tile: the value that a cell takes, and the neighbours that gain.
template <WavefrontRule Rule, typename Shape>
class RuleTiles : public SharedTile<Shape> {
  using Tile = SharedTile<Shape>;
  using typename Tile::Cell;
  using typename Tile::Place;

 public:
  using State = typename Rule::State;
  struct Scratch {
    State cells[Tile::kRimmed];
  };

  RuleTiles(const Rule& rule, const RuleGrid& grid, State* states)
      : Tile(grid.extent), rule_(rule), grid_(grid), states_(states) {}

  __device__ TileVisitEnd visit(std::int32_t tile, int lane, Scratch& scratch) const {
    const Place first = this->first_of(tile);
    State(&cells)[Tile::kRimmed] = scratch.cells;
    __syncwarp();
    this->template load<kLoadsAtOnce>(states_, first, lane, cells);
    __syncwarp();
    const auto rise = this->template raise<kMostRounds>(
        first, lane, cells, [&](int, const Cell& cell) { return risen(cell, first, cells); });
    if (!rise.any) return {-1, false};
    this->store(states_, first, lane, cells);
    unsigned gaining = 0;
    for (int i = lane; i < Tile::kRimmed; i += 32)
      gaining |= gains(i, first, cells);
    return {this->wake_of(tile, lane, gaining), rise.more};
  }

 private:
  /// Maximum rounds per visit; the rest is left to the next.
  static constexpr int kMostRounds = 24;
  /// More would increase the registers and leave room for fewer blocks.
  static constexpr int kLoadsAtOnce = 4;

  /// Returns a cell of the tile after taking the offers of all its neighbours.
  [[nodiscard]] __device__ State risen(const Cell& cell, const Place& first,
                                       const State (&cells)[Tile::kRimmed]) const {
    State state = cells[cell.rimmed];
    if (!cell.inside) return state;
    const Place at{first.x + cell.in_tile.x, first.y + cell.in_tile.y, first.z + cell.in_tile.z};
    for (int s = 0; s < grid_.steps; ++s) {
      const NeighbourStep& step = grid_.step[s];
      if (!this->contains({at.x + step.dx, at.y + step.dy, at.z + step.dz})) continue;
      const Edge edge{cell.offset + grid_.offset[s], cell.offset, grid_.steps - 1 - s};
      state = taken(rule_, state, cells[cell.rimmed + Tile::rimmed_step(step)], edge);
    }
    return state;
  }

  /// Returns the bit of the neighbour that owns a cell of the rim, if that cell gains from the
  /// tile; else 0.
  [[nodiscard]] __device__ unsigned gains(int i, const Place& first,
                                          const State (&cells)[Tile::kRimmed]) const {
    const Place in_tile = Tile::rimmed_place(i);
    const Place at{first.x + in_tile.x, first.y + in_tile.y, first.z + in_tile.z};
    const int away = Tile::away(in_tile);
    if (away == Tile::kHere || !this->contains(at)) return 0;
    const std::int64_t offset = this->offset_of(at);
    const State there = cells[i];
    for (int s = 0; s < grid_.steps; ++s) {
      const NeighbourStep& step = grid_.step[s];
      const Place from{in_tile.x + step.dx, in_tile.y + step.dy, in_tile.z + step.dz};
      if (Tile::away(from) != Tile::kHere) continue;
      if (!this->contains({at.x + step.dx, at.y + step.dy, at.z + step.dz})) continue;
      const Edge edge{offset + grid_.offset[s], offset, grid_.steps - 1 - s};
      const State now = taken(rule_, there, cells[i + Tile::rimmed_step(step)], edge);
      if (!(now == there)) return 1U << away;
    }
    return 0;
  }

  Rule rule_;
  RuleGrid grid_;
  State* states_;
};

/// Brings `states`, of all cells of the grid, x fastest, to the least fixpoint of `rule` above
/// them. The result equals that of core's run_rule(), bit for bit. Synchronises the stream. Throws
/// Cancelled.
template <WavefrontRule Rule>
void run_rule(const Rule& rule, const Index3& size, Connectivity connectivity,
              DeviceBuffer<typename Rule::State>& states, Context& context, const Stream& stream) {
  const RuleGrid grid = RuleGrid::of(size, connectivity);
  const auto run = [&](const auto& tiles) {
    DeviceQueue queue(tiles.tile_count(), stream);
    queue.queue_all(stream);
    run_tiles(queue, tiles, context, stream);
  };
  if (size[2] == 1) {
    run(RuleTiles<Rule, PlanarShape>(rule, grid, states.data()));
  } else {
    run(RuleTiles<Rule, SolidShape>(rule, grid, states.data()));
  }
}

/// Returns the device memory that run_rule() needs in addition to the states.
inline std::int64_t rule_queue_bytes(const Index3& size) {
  return DeviceQueue::bytes(size[2] == 1 ? SharedTile<PlanarShape>::tile_count(size)
                                         : SharedTile<SolidShape>::tile_count(size));
}

}  // namespace seedwave::gpu
