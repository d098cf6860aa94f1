// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/fuzzy/tiles/affinity_bricks.h"
#include "core/fuzzy/tiles/brick_table.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/fuzzy/tiles/strength_bricks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// Pass 1 at rest, and the affinities with which it came to rest.
struct SettledStrength {
  const StrengthBricks& strength;
  AffinityBricks& affinities;
};

/// The edges along which labels pass, one bit per cell and step: e is an optimal predecessor of c
/// where min(h(e), affinity) = h(c) > 0.
class EdgeBricks {
 public:
  struct Brick {
    BitPlane* edges = nullptr;  // [step][z]
    /// In-edges from beyond each side, where only faces connect.
    BitSides side_edges{};
  };
  /// What a worker needs.
  struct Scratch {
    Shell shell;
    std::array<Level, kShellCells> h{};
    SettledBrick settled;
    std::vector<BitPlane> former;
  };
  /// How a brick's edges differ from the former ones.
  struct Change {
    std::array<BitPlane, kSide> lost{};  // [z]: cells that lost an in-edge
    bool any_lost = false;
  };

  EdgeBricks(const BrickGrid& grid, const BrickSteps& steps);

  [[nodiscard]] const FloodSteps& flood_steps() const noexcept { return flood_steps_; }
  /// Null: not made yet. For any worker.
  [[nodiscard]] const Brick* find(std::int64_t brick) const { return bricks_.find(brick); }
  /// Made when it is asked for first. For the brick's owner.
  const Brick& touch(std::int64_t brick, const SettledStrength& settled, Scratch& scratch);
  /// Made anew from strengths that have risen. For the brick's owner, while nobody floods; the
  /// brick must have been made before.
  void renew(std::int64_t brick, const SettledStrength& settled, Scratch& scratch, Change& change);

  /// Memory held.
  [[nodiscard]] std::size_t bytes() const { return pool_.bytes(); }

 private:
  void make(std::int64_t brick, const SettledStrength& settled, Scratch& scratch, Brick& edges);

  int depth_;
  std::size_t planes_;
  FloodSteps flood_steps_;
  BrickTable<Brick> bricks_;
  ArrayPool<BitPlane> pool_;
};

/// The brick at a side, -1 outside.
[[nodiscard]] std::int64_t brick_beside(const BrickGrid& grid, const Index3& place, Face side);

}  // namespace seedwave::fuzzy
