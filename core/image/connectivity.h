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

/// Returns whether the neighbours within a slice include the diagonal ones.
[[nodiscard]] constexpr bool has_corners(Connectivity connectivity) {
  return connectivity != Connectivity::C4 && connectivity != Connectivity::C6;
}

}  // namespace seedwave
