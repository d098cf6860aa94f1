// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seedwave::gpu {

/// A cell of an image and the steps to its neighbours, for waves.cuh.
struct PlanePlace {
  int x;
  int y;

  [[nodiscard]] __device__ static PlanePlace of(std::uint32_t cell, int nx) {
    const auto columns = static_cast<std::uint32_t>(nx);
    return {static_cast<int>(cell % columns), static_cast<int>(cell / columns)};
  }
};

/// Sets `to` to neighbour `step` (below 8, or 4) of a cell. Returns whether it lies inside. In the
/// order of neighbour_steps().
template <bool diagonal>
__device__ bool neighbour_of(const PlanePlace& place, int nx, int ny, int step, std::uint32_t& to) {
  // Constants in unrolled loops.
  const int dx = diagonal ? (step < 3    ? step - 1
                             : step == 3 ? -1
                             : step == 4 ? 1
                                         : step - 6)
                          : (step == 1   ? -1
                             : step == 2 ? 1
                                         : 0);
  const int dy = diagonal ? (step < 3   ? -1
                             : step < 5 ? 0
                                        : 1)
                          : (step == 0   ? -1
                             : step == 3 ? 1
                                         : 0);
  const int x = place.x + dx;
  const int y = place.y + dy;
  if (x < 0 || x >= nx || y < 0 || y >= ny) return false;
  to = static_cast<std::uint32_t>(x) +
       static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(nx);
  return true;
}

}  // namespace seedwave::gpu
