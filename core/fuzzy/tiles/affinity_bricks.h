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

/// Describes how the cells of bricks connect.
struct BrickSteps {
  /// A step to a neighbour, with its offset in a Shell.
  struct ShellStep {
    NeighbourStep step;
    int offset = 0;
  };
  explicit BrickSteps(Connectivity connectivity);

  /// All steps, in the order of neighbour_steps(). The first half leads backwards.
  std::vector<ShellStep> all;
  /// Set for 4 and 6 neighbours, where bricks meet only at faces.
  bool faces_only = false;
};

/// The affinities of a problem's cells, brick by brick, computed when a front first enters a brick.
///
/// If only faces connect (4, 6), a brick keeps its affinities in 6 bytes per cell for the lifetime
/// of this object. With diagonals (8, 18, 26) they would take up to 26 bytes and are recomputed at
/// each visit. Any worker may query any brick, but only its owner may access the kept affinities.
class AffinityBricks {
 public:
  /// Borrows both arguments.
  AffinityBricks(const Problem& problem, const TileKernel& kernel);

  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  [[nodiscard]] const TileKernel& kernel() const noexcept { return kernel_; }
  [[nodiscard]] const BrickGrid& grid() const noexcept { return grid_; }
  [[nodiscard]] const BrickSteps& steps() const noexcept { return steps_; }
  [[nodiscard]] bool faces_only() const noexcept { return steps_.faces_only; }

  /// Allocates room for the intensities around a brick.
  [[nodiscard]] Shell make_shell() const;
  /// Fills the shell with the intensities around a brick, for affinity_row().
  void fill_shell(std::int64_t brick, Shell& shell) const;
  /// Calls the kernel's function with the problem's tables.
  void affinity_row(const Shell& shell, int from, int offset, int count, Level* result) const;

  /// Returns the affinities that a brick keeps. Requires faces_only(). `shell` is scratch.
  [[nodiscard]] FaceAffinities of(std::int64_t brick, Shell& shell);

 private:
  const Problem& problem_;
  const TileKernel& kernel_;
  BrickGrid grid_;
  BrickSteps steps_;
  std::vector<Level*> kept_;  // by brick; null until computed
  ArrayPool<Level> pool_;
};

}  // namespace seedwave::fuzzy
