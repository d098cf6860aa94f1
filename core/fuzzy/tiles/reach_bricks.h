// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/fuzzy/tiles/brick_table.h"
#include "core/fuzzy/tiles/edge_bricks.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/parallel/apart.h"
#include "core/parallel/context.h"
#include "core/wavefront/engine.h"
#include "core/wavefront/shared_words.h"
#include "core/wavefront/tile_grid.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave::fuzzy {

/// Planes of bits, one bit per cell, that spread along optimal edges from brick to brick: the
/// fixpoint of ReachRule. Planes 2d and 2d + 1 are flooded together.
class ReachBricks {
 public:
  ReachBricks(const BrickGrid& grid, BrickSteps steps, int planes);

  /// What is particular to one flood.
  struct Flood {
    SettledStrength settled;
    EdgeBricks& edges;
    /// Puts a brick's own bits into its planes [plane][z] when the flood comes there first, and
    /// tells from which planes z they spread.
    std::function<std::uint32_t(std::int64_t brick, BitPlane* reached)> start;
    /// Whether the flood may come to a brick at all.
    std::function<bool(std::int64_t brick)> may_enter;
  };
  /// Floods from the bricks `from` until nothing changes. Bits that are there already stay, and
  /// must be below the fixpoint. Throws: Cancelled; then some bits are missing.
  void flood(const Flood& flood, const std::vector<std::int64_t>& from, Context& context);

  /// The bits of a brick, [plane][z]; null where none ever came.
  [[nodiscard]] const BitPlane* reached(std::int64_t brick) const {
    const auto& own = bricks_.owned()[brick];
    return own ? own->reached : nullptr;
  }
  /// The same for the brick's owner, made where it was not; renew_sides() after a change.
  [[nodiscard]] BitPlane* touch(std::int64_t brick);
  /// Shows the neighbours what has become of the sides of a brick that was touched.
  void renew_sides(std::int64_t brick, const TileKernel& kernel);
  /// The bricks to which the last flood came, in no order.
  [[nodiscard]] const std::vector<std::int64_t>& flooded() const noexcept { return flooded_; }
  [[nodiscard]] int planes() const noexcept { return planes_; }
  /// No bits anywhere; memory is kept.
  void clear();
  /// Memory held.
  [[nodiscard]] std::size_t bytes() const { return plane_pool_.bytes() + side_pool_.bytes(); }

 private:
  struct Brick {
    BitPlane* reached = nullptr;  // the owner's; [plane][z]
    /// What the neighbours read: `reached` at the six sides, [plane].
    SharedWords sides;
    int flooded = 0;  // by which flood last; the owner's
  };
  struct alignas(kApart) Worker {
    EdgeBricks::Scratch scratch;
    /// Bits around the brick, the brick's own left 0: bit x + 1 of row [z + 1][y + 1]. Diagonals.
    std::vector<std::uint32_t> halo;  // [plane][kShellSide][kShellSide]
    std::vector<std::int64_t> flooded;
  };

  void visit(const Flood& flood, std::int64_t index, Worker& worker, std::vector<Wake>& wakes);
  Brick& touch_brick(std::int64_t index);
  void read_sides(const Brick& brick, int plane, BitSides& sides) const;
  [[nodiscard]] std::uint32_t take_sides(const TileKernel& kernel, const Index3& place,
                                         const Brick& brick, const EdgeBricks::Brick& edges,
                                         int plane) const;
  void read_halo(const Index3& place, Worker& worker) const;
  [[nodiscard]] std::uint32_t take_halo(const Brick& brick, const EdgeBricks::Brick& edges,
                                        int plane, const Worker& worker) const;
  [[nodiscard]] bool wants(const Flood& flood, const Index3& place, Face side, int plane,
                           const BitPlane& gained) const;
  void wake_diagonals(const Flood& flood, const Index3& place, const BitSides& gained,
                      std::vector<Wake>& wakes) const;

  BrickGrid grid_;
  BrickSteps steps_;
  int depth_;
  int planes_;
  BrickTable<Brick> bricks_;
  ArrayPool<BitPlane> plane_pool_;
  ArrayPool<SharedWords::Word> side_pool_;
  int floods_ = 0;
  std::vector<std::int64_t> flooded_;
};

}  // namespace seedwave::fuzzy
