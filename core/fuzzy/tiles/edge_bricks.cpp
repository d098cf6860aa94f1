// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/tiles/edge_bricks.h"

#include <algorithm>

namespace seedwave::fuzzy {
namespace {

FloodSteps steps_of_flood(const BrickSteps& steps) {
  FloodSteps result;
  for (std::size_t i = 0; i < steps.all.size(); ++i) {
    const NeighbourStep& step = steps.all[i].step;
    const auto index = static_cast<int>(i);
    if (step.dz < 0) {
      result.below.push_back({index, step.dx, step.dy, step.dz});
    } else if (step.dz > 0) {
      result.above.push_back({index, step.dx, step.dy, step.dz});
    } else if (step.dy != 0) {
      result.in_plane.push_back({index, step.dx, step.dy, step.dz});
    } else {
      (step.dx < 0 ? result.low_x : result.high_x) = index;
    }
  }
  return result;
}

/// Returns the index of the step that leaves a brick through the face `side`, or -1.
int step_across(const FloodSteps& steps, Face side) {
  const auto index_of = [&](const std::vector<FloodSteps::Other>& some) {
    const int way = side % 2 == 0 ? -1 : 1;
    const auto found = std::find_if(some.begin(), some.end(), [&](const FloodSteps::Other& step) {
      return step.dx == 0 && step.dy + step.dz == way;
    });
    return found == some.end() ? -1 : found->index;
  };
  switch (side) {
    case XLow:
      return steps.low_x;
    case XHigh:
      return steps.high_x;
    case YLow:
    case YHigh:
      return index_of(steps.in_plane);
    case ZLow:
      return index_of(steps.below);
    case ZHigh:
      return index_of(steps.above);
  }
  return -1;
}

}  // namespace

std::int64_t brick_beside(const BrickGrid& grid, const Index3& place, Face side) {
  const int way = side % 2 == 0 ? -1 : 1;
  const int axis = side / 2;
  return grid.neighbour(place, axis == 0 ? way : 0, axis == 1 ? way : 0, axis == 2 ? way : 0);
}

EdgeBricks::EdgeBricks(const BrickGrid& grid, const BrickSteps& steps)
    : depth_(grid.depth()),
      planes_(steps.all.size() * std::size_t(grid.depth())),
      flood_steps_(steps_of_flood(steps)),
      bricks_(grid.tile_count()),
      pool_(planes_, bricks_.size()) {}

const EdgeBricks::Brick& EdgeBricks::touch(std::int64_t brick, const SettledStrength& settled,
                                           Scratch& scratch) {
  return bricks_.touch(brick, [&](Brick& fresh) {
    fresh.edges = pool_.take();
    make(brick, settled, scratch, fresh);
  });
}

void EdgeBricks::renew(std::int64_t brick, const SettledStrength& settled, Scratch& scratch,
                       Change& change) {
  Brick& edges = *bricks_.owned()[brick];
  scratch.former.assign(edges.edges, edges.edges + planes_);
  make(brick, settled, scratch, edges);
  change = {};
  unsigned any_lost = 0;
  for (std::size_t plane = 0; plane < planes_; ++plane) {
    BitPlane& lost = change.lost[plane % std::size_t(depth_)];
    for (int y = 0; y < kSide; ++y) {
      const unsigned former = scratch.former[plane][y];
      const unsigned now = edges.edges[plane][y];
      lost[y] = static_cast<std::uint16_t>(lost[y] | (former & ~now));
      any_lost |= former & ~now;
    }
  }
  change.any_lost = any_lost != 0;
}

void EdgeBricks::make(std::int64_t index, const SettledStrength& settled, Scratch& scratch,
                      Brick& brick) {
  AffinityBricks& affinities = settled.affinities;
  const TileKernel& kernel = affinities.kernel();
  if (affinities.faces_only()) {
    settled.strength.read_settled(index, scratch.settled);
    kernel.face_edges(scratch.settled, affinities.of(index, scratch.shell), flood_steps_, depth_,
                      brick.edges);
    for (int i = 0; i < kSides; ++i) {
      const auto side = static_cast<Face>(i);
      const int step = step_across(flood_steps_, side);
      if (step < 0) continue;  // a plane has no z sides
      brick.side_edges[side] = kernel.side_of(brick.edges + step * depth_, depth_, side);
    }
    return;
  }
  affinities.fill_shell(index, scratch.shell);
  settled.strength.read_shell(index, scratch.h);
  const auto& steps = affinities.steps().all;
  std::array<Level, kPlane> here{};
  std::array<Level, kPlane> there{};
  std::array<Level, kPlane> affinity{};
  for (int z = 0; z < depth_; ++z) {
    for (int y = 0; y < kSide; ++y) {
      std::copy_n(scratch.h.data() + shell_index(0, y, z), kSide, here.data() + y * kSide);
    }
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (int y = 0; y < kSide; ++y) {
        const int from = shell_index(0, y, z);
        std::copy_n(scratch.h.data() + from + steps[s].offset, kSide, there.data() + y * kSide);
        affinities.affinity_row(scratch.shell, from, steps[s].offset, kSide,
                                affinity.data() + y * kSide);
      }
      kernel.optimal_edges(here.data(), there.data(), affinity.data(), kSide,
                           brick.edges[s * depth_ + z].data());
    }
  }
}

}  // namespace seedwave::fuzzy
