// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/fuzzy/problem.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/image/connectivity.h"
#include "core/wavefront/tile_grid.h"

#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// How the cells of bricks connect.
struct BrickSteps {
  /// A step to a neighbour, and how far that is in a Shell.
  struct ShellStep {
    Step step;
    int offset = 0;
  };
  explicit BrickSteps(Connectivity connectivity);

  /// All, in the order of neighbour_steps(): the first half lead backwards.
  std::vector<ShellStep> all;
  /// 4 and 6 neighbours: bricks meet at faces alone.
  bool faces_only = false;
};

/// The affinities of a problem's cells, brick by brick, made when a front first comes there.
///
/// Where only faces connect (4, 6) a brick keeps them, 6 bytes per cell, as long as this lives;
/// with diagonals (8, 18, 26) they would be up to 26 and are made anew by whoever visits it. Any
/// worker may ask about any brick, but only a brick's owner for what it keeps.
class AffinityBricks {
 public:
  /// Borrows both.
  AffinityBricks(const Problem& problem, const TileKernel& kernel);

  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  [[nodiscard]] const TileKernel& kernel() const noexcept { return kernel_; }
  [[nodiscard]] const BrickGrid& grid() const noexcept { return grid_; }
  [[nodiscard]] const BrickSteps& steps() const noexcept { return steps_; }
  [[nodiscard]] bool faces_only() const noexcept { return steps_.faces_only; }

  /// Room for the greys around a brick.
  [[nodiscard]] Shell make_shell() const;
  /// Greys around a brick, ready for affinity_row().
  void fill_shell(std::int64_t brick, Shell& shell) const;
  /// The kernel's, with the problem's tables.
  void affinity_row(const Shell& shell, int from, int offset, int count, Level* result) const;

  /// A brick's own, faces_only() alone. `shell` is scratch.
  [[nodiscard]] FaceAffinities of(std::int64_t brick, Shell& shell);

 private:
  const Problem& problem_;
  const TileKernel& kernel_;
  BrickGrid grid_;
  BrickSteps steps_;
  std::vector<Level*> kept_;  // by brick, null: not yet
  ArrayPool<Level> pool_;
};

}  // namespace seedwave::fuzzy
