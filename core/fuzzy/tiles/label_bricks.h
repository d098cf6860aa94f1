// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/fuzzy/tiles/strength_bricks.h"
#include "core/parallel/context.h"
#include "core/wavefront/engine.h"
#include "core/wavefront/shared_words.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace seedwave::fuzzy {

/// Pass 2 on bricks: which labels reach a cell along optimal edges, one bit a cell and plane.
///
/// A label's code is its rank among the labels. Each bit of the code has two planes: "a label with
/// a 1 here reaches the cell" and "... with a 0". A cell that one label reaches can be read off;
/// where both planes of some bit are set, two labels met, and the cell is a tie. So n labels take
/// 2 ceil(log2 n) floods along the same edges.
class LabelBricks {
 public:
  /// Borrows all; `strength` must have come to rest and keep its affinities until grow() has ended.
  LabelBricks(const Problem& problem, StrengthBricks& strength, const TileKernel& kernel,
              int threads);

  /// Floods from the problem's seeds. Throws: Cancelled.
  void grow(Context& context);
  /// The labels on the image's grid: 0 not reached or a tie; seeds may be outdone.
  [[nodiscard]] std::vector<std::uint16_t> labels(Context& context) const;

 private:
  struct Brick {
    BitPlane* reached = nullptr;  // the owner's; [plane of the code][z]
    BitPlane* edges = nullptr;    // the owner's; [step][z]
    /// In-edges from beyond each side, where only faces connect. Never change once others see them.
    BitSides side_edges{};
    /// What the neighbours read: `reached` at the six sides, [plane of the code].
    SharedWords sides;
  };
  struct Worker {
    Shell shell;
    std::array<Level, kShellCells> h{};
    SettledBrick settled;
    /// Bits around the brick, the brick's own left 0: bit x + 1 of row [z + 1][y + 1]. Diagonals.
    std::vector<std::uint32_t> halo;  // [plane of the code][kShellSide][kShellSide]
  };
  struct Planted {
    std::int64_t brick;
    int cell;
    std::uint16_t code;
  };

  void visit(std::int64_t index, int worker, std::vector<Wake>& wakes);
  Brick& touch(std::int64_t index, Worker& worker);
  void make_edges(std::int64_t index, Worker& worker, Brick& brick);
  void read_sides(const Brick& brick, int plane, BitSides& sides) const;
  [[nodiscard]] const Brick* beside(const Index3& place, Face side) const;
  [[nodiscard]] std::uint32_t take_sides(const Index3& place, const Brick& brick, int plane) const;
  void read_halo(const Index3& place, Worker& worker) const;
  [[nodiscard]] std::uint32_t take_halo(const Brick& brick, int plane, const Worker& worker) const;
  [[nodiscard]] std::uint32_t plant(std::int64_t index, int plane, const Brick& brick) const;
  [[nodiscard]] bool wants(const Index3& place, Face side, int plane, const BitPlane& gained) const;
  void wake_diagonals(const Index3& place, const BitSides& gained, std::vector<Wake>& wakes) const;

  const Problem& problem_;
  StrengthBricks& strength_;
  const TileKernel& kernel_;
  const BrickGrid& grid_;
  int depth_;
  std::vector<std::uint16_t> label_of_code_;
  int planes_;  // of the code
  FloodSteps steps_;
  std::vector<std::atomic<Brick*>> bricks_;
  std::vector<std::unique_ptr<Brick>> owned_;
  ArrayPool<BitPlane> plane_pool_;
  ArrayPool<SharedWords::Word> side_pool_;
  std::vector<Worker> workers_;
  std::vector<Planted> planted_;  // sorted by brick
};

}  // namespace seedwave::fuzzy
