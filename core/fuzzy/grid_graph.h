// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/affinity.h"
#include "core/fuzzy/problem.h"

#include <array>
#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// The cells and affinities of a problem as a graph, for the reference solvers.
///
/// Borrows the problem, which must outlive it. Thread-safe.
class GridGraph {
 public:
  explicit GridGraph(const Problem& problem)
      : tables_(problem.tables),
        view_(tables_.view()),
        grey_(problem.scene.grey.voxels<std::uint16_t>().data()),
        mask_(problem.scene.mask ? problem.scene.mask->data() : nullptr),
        size_(problem.scene.geometry.size) {
    for (const NeighbourStep& step : neighbour_steps(problem.connectivity)) {
      neighbours_.push_back({step, step.dx + size_[0] * (step.dy + size_[1] * step.dz)});
    }
  }

  [[nodiscard]] std::int64_t cell_count() const noexcept { return size_[0] * size_[1] * size_[2]; }

  /// Calls visit(neighbour, affinity) for every neighbour of `cell` inside the mask with a nonzero
  /// affinity, in the order of neighbour_steps().
  template <typename Visit>
  void for_each_neighbour(std::int64_t cell, Visit&& visit) const {
    const auto nx = static_cast<std::uint64_t>(size_[0]);
    const auto ny = static_cast<std::uint64_t>(size_[1]);
    const auto row = static_cast<std::uint64_t>(cell) / nx;
    const auto x = static_cast<std::int64_t>(static_cast<std::uint64_t>(cell) % nx);
    const auto y = static_cast<std::int64_t>(row % ny);
    const auto z = static_cast<std::int64_t>(row / ny);
    const bool inner =
        x > 0 && y > 0 && z > 0 && x + 1 < size_[0] && y + 1 < size_[1] && z + 1 < size_[2];
    const std::uint16_t here = grey_[cell];
    for (const Neighbour& neighbour : neighbours_) {
      if (!inner &&
          !contains(x + neighbour.step.dx, y + neighbour.step.dy, z + neighbour.step.dz)) {
        continue;
      }
      const std::int64_t other = cell + neighbour.offset;
      if (mask_ != nullptr && mask_[other] == 0) continue;
      const std::uint16_t affinity = kappa(view_, here, grey_[other]);
      if (affinity > 0) visit(other, affinity);
    }
  }

 private:
  struct Neighbour {
    NeighbourStep step;
    std::int64_t offset;
  };
  [[nodiscard]] bool contains(std::int64_t x, std::int64_t y, std::int64_t z) const noexcept {
    return x >= 0 && y >= 0 && z >= 0 && x < size_[0] && y < size_[1] && z < size_[2];
  }

  KappaTables tables_;
  KappaView view_;
  const std::uint16_t* grey_;
  const std::uint8_t* mask_;
  Index3 size_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace seedwave::fuzzy
