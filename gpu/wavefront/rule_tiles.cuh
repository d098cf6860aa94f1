// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/geometry.h"
#include "core/parallel/context.h"
#include "core/wavefront/rule.h"
#include "gpu/device/buffer.h"
#include "gpu/wavefront/engine.cuh"

#include <algorithm>
#include <cstdint>
#include <type_traits>

/// Any rule (core/wavefront/rule.h) on any grid of a device: the twin of core's rule_tiles.h, plain
/// loops over tiles in shared memory. The rule's pointers are to device memory, its functions
/// SEEDWAVE_HD. Rules that deserve sweeps in registers have tiles of their own (plane_tiles.cuh).
namespace seedwave::gpu {

/// The grid and its neighbourhood, as a kernel is given them.
struct RuleGrid {
  static constexpr int kMost = 26;

  [[nodiscard]] static RuleGrid of(const Index3& size, Connectivity connectivity) {
    RuleGrid grid{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      grid.size[axis] = static_cast<int>(size[axis]);
    for (const Step& step : neighbour_steps(connectivity)) {
      grid.step[grid.steps] = step;
      grid.offset[grid.steps++] = step.dx + size[0] * (step.dy + size[1] * step.dz);
    }
    return grid;
  }

  /// Whether a step from a cell ends inside the grid.
  [[nodiscard]] __device__ bool leads_inside(std::int64_t cell, int s) const {
    const auto x = static_cast<int>(cell % size[0]) + step[s].dx;
    const auto y = static_cast<int>(cell / size[0] % size[1]) + step[s].dy;
    const auto z = static_cast<int>(cell / size[0] / size[1]) + step[s].dz;
    return contains(x, y, z);
  }
  [[nodiscard]] __device__ bool contains(int x, int y, int z) const {
    return x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2];
  }

  int size[3];
  int steps;
  Step step[kMost];
  std::int64_t offset[kMost];
};

/// How large a tile is; a whole number of warps.
template <int width, int height, int depth>
struct TileShape {
  static constexpr int kWidth = width;
  static constexpr int kHeight = height;
  static constexpr int kDepth = depth;
  static_assert(width * height * depth % 32 == 0);
};
using PlanarShape = TileShape<32, 16, 1>;
using SolidShape = TileShape<8, 8, 8>;

template <WavefrontRule Rule, typename Shape>
class RuleTiles {
 public:
  using State = typename Rule::State;
  // Else a neighbour could see half of one.
  static_assert(sizeof(State) == 1 || sizeof(State) == 2 || sizeof(State) == 4 ||
                sizeof(State) == 8);
  static constexpr int kThreads = 128;
  static constexpr int kBlocks = 4;
  static constexpr int kWidth = Shape::kWidth;
  static constexpr int kHeight = Shape::kHeight;
  static constexpr int kDepth = Shape::kDepth;

 private:
  static constexpr int kCells = kWidth * kHeight * kDepth;
  static constexpr int kTurns = kCells / 32;
  // With a rim of one cell, in a plane only around it.
  static constexpr int kRim = kDepth == 1 ? 0 : 1;
  static constexpr int kRimmedRow = kWidth + 2;
  static constexpr int kRimmedPlane = kRimmedRow * (kHeight + 2);
  static constexpr int kRimmed = kRimmedPlane * (kDepth + 2 * kRim);
  /// Rounds of a visit; what is left waits for the next.
  static constexpr int kMostRounds = 24;

 public:
  struct Scratch {
    State cells[kRimmed];
  };

  RuleTiles(const Rule& rule, const RuleGrid& grid, State* states)
      : rule_(rule), grid_(grid), states_(states) {
    for (int axis = 0; axis < 3; ++axis) {
      const int length = axis == 0 ? kWidth : (axis == 1 ? kHeight : kDepth);
      tiles_[axis] = (grid.size[axis] + length - 1) / length;
    }
  }
  [[nodiscard]] std::int64_t tile_count() const {
    return std::int64_t{tiles_[0]} * tiles_[1] * tiles_[2];
  }

  __device__ TileVisitEnd visit(std::int32_t tile, int lane, Scratch& scratch) const {
    const Place place{tile % tiles_[0], tile / tiles_[0] % tiles_[1],
                      tile / (tiles_[0] * tiles_[1])};
    const Place first{place.x * kWidth, place.y * kHeight, place.z * kDepth};
    __syncwarp();
    for (int i = lane; i < kRimmed; i += 32) {
      const Place at = rimmed_place(i, first);
      scratch.cells[i] = contains(at) ? fresh(states_ + offset_of(at)) : State{};
    }
    __syncwarp();

    bool rose = false;
    bool again = true;
    for (int round = 0; round < kMostRounds && again; ++round) {
      bool changed = false;
      // There and back.
      for (int turn = 0; turn < 2 * kTurns; ++turn) {
        const int i = turn < kTurns ? turn : 2 * kTurns - 1 - turn;
        changed |= take(i * 32 + lane, first, scratch);
      }
      again = __any_sync(kAll, changed);
      rose |= again;
    }
    if (!rose) return {-1, false};

    for (int i = lane; i < kCells; i += 32) {
      const Place at = own_place(i, first);
      if (contains(at)) states_[offset_of(at)] = scratch.cells[rimmed_index(i)];
    }
    unsigned gaining = 0;
    for (int i = lane; i < kRimmed; i += 32)
      gaining |= gains(i, first, scratch);
    gaining = __reduce_or_sync(kAll, gaining);
    std::int32_t wake = -1;
    if (lane < 27 && (gaining >> lane & 1U) != 0) {
      wake = tile + (lane % 3 - 1) + tiles_[0] * ((lane / 3 % 3 - 1) + tiles_[1] * (lane / 9 - 1));
    }
    return {wake, again};
  }

 private:
  static constexpr unsigned kAll = 0xFFFFFFFFU;

  struct Place {
    int x;
    int y;
    int z;
  };

  [[nodiscard]] __device__ bool contains(const Place& at) const {
    return grid_.contains(at.x, at.y, at.z);
  }
  [[nodiscard]] __device__ std::int64_t offset_of(const Place& at) const {
    return at.x + std::int64_t{grid_.size[0]} * (at.y + std::int64_t{grid_.size[1]} * at.z);
  }
  [[nodiscard]] static __device__ Place own_place(int cell, const Place& first) {
    return {first.x + cell % kWidth, first.y + cell / kWidth % kHeight,
            first.z + cell / (kWidth * kHeight)};
  }
  [[nodiscard]] static __device__ Place rimmed_place(int i, const Place& first) {
    return {first.x + i % kRimmedRow - 1, first.y + i / kRimmedRow % (kHeight + 2) - 1,
            first.z + i / kRimmedPlane - kRim};
  }
  [[nodiscard]] static __device__ int rimmed_index(int cell) {
    return cell % kWidth + 1 + kRimmedRow * (cell / kWidth % kHeight + 1) +
           kRimmedPlane * (cell / (kWidth * kHeight) + kRim);
  }
  [[nodiscard]] static __device__ int rimmed_step(const Step& step) {
    return step.dx + kRimmedRow * step.dy + kRimmedPlane * step.dz;
  }
  /// The state as it is in the second-level cache, whole.
  [[nodiscard]] static __device__ State fresh(const State* at) {
    using Word = std::conditional_t<
        sizeof(State) == 8, unsigned long long,
        std::conditional_t<sizeof(State) == 4, unsigned,
                           std::conditional_t<sizeof(State) == 2, unsigned short, unsigned char>>>;
    const Word word = __ldcg(reinterpret_cast<const Word*>(at));
    State state;
    memcpy(&state, &word, sizeof state);
    return state;
  }

  /// Raises a cell of the tile by all its neighbours, as they were before. True: it rose.
  __device__ bool take(int cell, const Place& first, Scratch& scratch) const {
    const Place at = own_place(cell, first);
    const int i = rimmed_index(cell);
    const State before = scratch.cells[i];
    State state = before;
    if (contains(at)) {
      const std::int64_t offset = offset_of(at);
      for (int s = 0; s < grid_.steps; ++s) {
        const Step& step = grid_.step[s];
        if (!contains({at.x + step.dx, at.y + step.dy, at.z + step.dz})) continue;
        const Edge edge{offset + grid_.offset[s], offset, grid_.steps - 1 - s};
        state = rule_.join(state, rule_.transfer(scratch.cells[i + rimmed_step(step)], edge));
      }
    }
    const bool rose = !(state == before);
    __syncwarp();
    if (rose) scratch.cells[i] = state;
    __syncwarp();
    return rose;
  }

  /// Of a cell of the rim: the bit of the neighbour whose it is, where it gains by the tile. What
  /// is known of it may be old: then that one is woken in vain, never forgotten.
  [[nodiscard]] __device__ unsigned gains(int i, const Place& first, const Scratch& scratch) const {
    const Place at = rimmed_place(i, first);
    const int ax = at.x < first.x ? 0 : (at.x < first.x + kWidth ? 1 : 2);
    const int ay = at.y < first.y ? 0 : (at.y < first.y + kHeight ? 1 : 2);
    const int az = at.z < first.z ? 0 : (at.z < first.z + kDepth ? 1 : 2);
    const int away = ax + 3 * (ay + 3 * az);
    if (away == 13 || !contains(at)) return 0;
    const std::int64_t offset = offset_of(at);
    const State there = scratch.cells[i];
    for (int s = 0; s < grid_.steps; ++s) {
      const Step& step = grid_.step[s];
      const Place from{at.x + step.dx, at.y + step.dy, at.z + step.dz};
      const bool own = from.x >= first.x && from.x < first.x + kWidth && from.y >= first.y &&
                       from.y < first.y + kHeight && from.z >= first.z && from.z < first.z + kDepth;
      if (!own || !contains(from)) continue;
      const Edge edge{offset + grid_.offset[s], offset, grid_.steps - 1 - s};
      const State now =
          rule_.join(there, rule_.transfer(scratch.cells[i + rimmed_step(step)], edge));
      if (!(now == there)) return 1U << away;
    }
    return 0;
  }

  Rule rule_;
  RuleGrid grid_;
  State* states_;
  int tiles_[3];
};

/// Brings `states`, of all cells of the grid, x fastest, to the least fixpoint of `rule` above
/// them: the bits that core's run_rule() gives. Waits for the stream. Throws Cancelled.
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

/// What run_rule() takes beside the states.
inline std::int64_t rule_queue_bytes(const Index3& size) {
  const Index3 tile = size[2] == 1 ? Index3{32, 16, 1} : Index3{8, 8, 8};
  std::int64_t tiles = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    tiles *= (size[axis] + tile[axis] - 1) / tile[axis];
  return DeviceQueue::bytes(tiles);
}

}  // namespace seedwave::gpu
