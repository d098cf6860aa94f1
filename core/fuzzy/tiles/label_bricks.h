// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/fuzzy/problem.h"
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

  /// The parameters of one flood.
  struct Flood {
    SettledStrength settled;
    EdgeBricks& edges;
    /// Sets a brick's own bits in its planes [plane][z] when the flood first enters it. Returns the
    /// planes z from which they spread.
    std::function<std::uint32_t(std::int64_t brick, BitPlane* reached)> start;
    /// Returns whether the flood may enter a brick.
    std::function<bool(std::int64_t brick)> may_enter;
  };
  /// Floods from the bricks `from` until nothing changes. Existing bits remain, and must be below
  /// the fixpoint. Throws Cancelled; then some bits are missing.
  void flood(const Flood& flood, const std::vector<std::int64_t>& from, Context& context);

  /// Returns the bits of a brick, [plane][z], or null if none ever arrived.
  [[nodiscard]] const BitPlane* reached(std::int64_t brick) const {
    const auto& own = bricks_.owned()[brick];
    return own ? own->reached : nullptr;
  }
  /// Returns the same for the brick's owner, creating it if needed. Call renew_sides() after a
  /// change.
  [[nodiscard]] BitPlane* touch(std::int64_t brick);
  /// Publishes the changed sides of a touched brick to its neighbours.
  void renew_sides(std::int64_t brick, const TileKernel& kernel);
  /// Returns the bricks that the last flood entered, in no particular order.
  [[nodiscard]] const std::vector<std::int64_t>& flooded() const noexcept { return flooded_; }
  [[nodiscard]] int planes() const noexcept { return planes_; }
  /// Clears all bits and keeps the memory.
  void clear();
  /// Returns the memory held.
  [[nodiscard]] std::size_t bytes() const { return plane_pool_.bytes() + side_pool_.bytes(); }

 private:
  struct Brick {
    BitPlane* reached = nullptr;  // [plane][z]; accessed by the owner only
    /// `reached` at the six sides, [plane], for the neighbours to read.
    SharedWords sides;
    int flooded = 0;  // number of the last flood here; the owner's
  };
  struct alignas(kApart) Worker {
    EdgeBricks::Scratch scratch;
    /// Bits around the brick, for diagonal connectivities: bit x + 1 of row [z + 1][y + 1]. The
    /// brick's own bits remain 0.
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

/// Pass 2 on bricks: finds which labels reach a cell along optimal edges, one bit per cell and
/// plane.
///
/// A label's code is its rank among the labels. Each bit of the code has two planes: "a label with
/// a 1 here reaches the cell" and "... with a 0". The code of a cell that one label reaches can be
/// read off. If both planes of some bit are set, two labels met and the cell is a tie. So n labels
/// take 2 ceil(log2 n) floods along the same edges.
class LabelBricks {
 public:
  /// Prepares for seeds of these labels, in ascending order.
  LabelBricks(const BrickGrid& grid, const BrickSteps& steps, const std::vector<Label>& labels);

  /// Floods from the seeds and discards former bits. The strengths are those to these seeds, sorted
  /// by offset. A cell may also be given as kTie. Throws Cancelled.
  void grow(const std::vector<Seed>& seeds, const SettledStrength& settled, Context& context);

  /// Updates the last grow() or regrow() after seeds were added; the result is the same as that of
  /// grow(). `added` are the new seeds, and `seeds` are all of them. strength.raised() gives the
  /// bricks that the new seeds raised. Throws Cancelled; then only grow() is valid.
  ///
  /// A cell keeps its labels unless it, or a cell that it depends on, lost an optimal in-edge. Let
  /// D be those cells and all that they reach along the new edges. Every former path to a cell
  /// outside D is still valid. So the labels in D are removed, and the flood continues from there.
  /// If D is most of the object, a new flood is faster and is run instead.
  void regrow(const std::vector<Seed>& seeds, const std::vector<Seed>& added,
              const SettledStrength& settled, Context& context);

  /// Returns the labels given at construction.
  [[nodiscard]] const std::vector<std::uint16_t>& known_labels() const noexcept {
    return label_of_code_;
  }
  /// Selects the value of a cell that several labels reach.
  enum class Ties { Zero, Kept };  // 0; kTie
  /// Returns the labels on the image's grid, 0 where unreached. Seeds may be outdone.
  [[nodiscard]] std::vector<std::uint16_t> labels(const TileKernel& kernel, Context& context,
                                                  Ties ties = Ties::Zero) const;
  /// Returns the memory held.
  [[nodiscard]] std::size_t bytes() const { return edges_.bytes() + reach_.bytes(); }

 private:
  using Bricks = std::vector<std::int64_t>;
  struct Planted {
    std::int64_t brick;
    int cell;
    std::uint16_t code;
  };
  [[nodiscard]] std::vector<Planted> planted(const std::vector<Seed>& seeds) const;
  void flood(const std::vector<Planted>& seeds, const Bricks& from, std::uint32_t pending,
             const SettledStrength& settled, Context& context);
  void plant(const Planted& seed, BitPlane* reached) const;
  Bricks renew_edges(const Bricks& raised, const SettledStrength& settled, ReachBricks& lost,
                     Context& context);
  [[nodiscard]] bool spread_lost(const Bricks& losers, const SettledStrength& settled,
                                 ReachBricks& lost, Context& context);
  void clear_lost(std::int64_t brick, const BitPlane* lost, const TileKernel& kernel);

  BrickGrid grid_;
  BrickSteps steps_;
  int depth_;
  std::vector<std::uint16_t> label_of_code_;
  EdgeBricks edges_;
  ReachBricks reach_;
};

}  // namespace seedwave::fuzzy
