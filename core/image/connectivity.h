// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace seedwave {

/// The neighbourhood of a cell: 4 and 8 in the plane, 6, 18 and 26 in space.
enum class Connectivity { C4 = 4, C8 = 8, C6 = 6, C18 = 18, C26 = 26 };

/// A step to a neighbour.
struct NeighbourStep {
  int dx = 0;
  int dy = 0;
  int dz = 0;
};

/// Returns the steps to all neighbours in a fixed order: by dz, then dy, then dx. The first half
/// are the "backward" steps: the second half in reverse order, negated.
[[nodiscard]] inline std::vector<NeighbourStep> neighbour_steps(Connectivity connectivity) {
  const bool planar = connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
  int reach = 3;  // the largest |dx| + |dy| + |dz|
  if (connectivity == Connectivity::C4 || connectivity == Connectivity::C6) reach = 1;
  if (connectivity == Connectivity::C8 || connectivity == Connectivity::C18) reach = 2;
  std::vector<NeighbourStep> steps;
  for (int dz = planar ? 0 : -1; dz <= (planar ? 0 : 1); ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int length = std::abs(dx) + std::abs(dy) + std::abs(dz);
        if (length > 0 && length <= reach) steps.push_back({dx, dy, dz});
      }
    }
  }
  return steps;
}

/// Returns the steps to those rows of cells that precede a row and hold neighbours of its cells. dx
/// is how far sideways: 0, or 1 with neighbours across an edge or a corner.
[[nodiscard]] inline std::vector<NeighbourStep> preceding_rows(Connectivity connectivity) {
  std::vector<NeighbourStep> rows;
  for (const NeighbourStep& step : neighbour_steps(connectivity)) {
    if (step.dz > 0 || (step.dz == 0 && step.dy >= 0)) break;
    if (rows.empty() || rows.back().dy != step.dy || rows.back().dz != step.dz)
      rows.push_back({0, step.dy, step.dz});
    if (step.dx != 0) rows.back().dx = 1;
  }
  return rows;
}

/// Returns whether the neighbours within a slice include the diagonal ones.
[[nodiscard]] constexpr bool has_corners(Connectivity connectivity) {
  return connectivity != Connectivity::C4 && connectivity != Connectivity::C6;
}

}  // namespace seedwave
