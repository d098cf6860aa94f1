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

/// The strengths at the fixpoint of pass 1, with the affinities used.
struct SettledStrength {
  const StrengthBricks& strength;
  AffinityBricks& affinities;
};

/// The edges along which labels pass, one bit per cell and step. Cell e is an optimal predecessor
/// of c if min(h(e), affinity) = h(c) > 0.
class EdgeBricks {
 public:
  struct Brick {
    BitPlane* edges = nullptr;  // [step][z]
    /// In-edges from beyond each side, if only faces connect.
    BitSides side_edges{};
  };
  /// Working memory of a worker.
  struct Scratch {
    Shell shell;
    std::array<Level, kShellCells> h{};
    SettledBrick settled;
    std::vector<BitPlane> former;
  };
  /// Difference between a brick's edges and its former ones.
  struct Change {
    std::array<BitPlane, kSide> lost{};  // [z]: cells that lost an in-edge
    bool any_lost = false;
  };

  EdgeBricks(const BrickGrid& grid, const BrickSteps& steps);

  [[nodiscard]] const FloodSteps& flood_steps() const noexcept { return flood_steps_; }
  /// Returns a brick for any worker, or null if it was not created yet.
  [[nodiscard]] const Brick* find(std::int64_t brick) const { return bricks_.find(brick); }
  /// Returns a brick for its owner, and creates it on first use.
  const Brick& touch(std::int64_t brick, const SettledStrength& settled, Scratch& scratch);
  /// Recomputes the edges from strengths that have risen. Called by the brick's owner while no
  /// flood runs. The brick must exist.
  void renew(std::int64_t brick, const SettledStrength& settled, Scratch& scratch, Change& change);

  /// Returns the memory held.
  [[nodiscard]] std::size_t bytes() const { return pool_.bytes(); }

 private:
  void make(std::int64_t brick, const SettledStrength& settled, Scratch& scratch, Brick& edges);

  int depth_;
  std::size_t planes_;
  FloodSteps flood_steps_;
  BrickTable<Brick> bricks_;
  ArrayPool<BitPlane> pool_;
};

/// Returns the brick beyond a side, or -1 outside the grid.
[[nodiscard]] std::int64_t brick_beside(const BrickGrid& grid, const Index3& place, Face side);

}  // namespace seedwave::fuzzy
