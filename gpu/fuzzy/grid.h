// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/image/connectivity.h"
#include "core/image/geometry.h"

#include <array>
#include <cstdint>

namespace seedwave::gpu {

/// Number of cells that a thread moves at once along x: 16 bytes of u16.
inline constexpr int kVector = 8;

/// A grid of u16 planes in device memory. Rows are padded to whole vectors, so that every row
/// starts on a multiple of 16 bytes. Padding cells have strength and affinity 0 and are never
/// neighbours.
struct Grid {
  std::int64_t nx = 0;
  std::int64_t ny = 0;
  std::int64_t nz = 0;
  std::int64_t pitch = 0;

  [[nodiscard]] static Grid of(const Geometry& geometry) {
    return {geometry.size[0], geometry.size[1], geometry.size[2],
            (geometry.size[0] + kVector - 1) / kVector * kVector};
  }
  /// Number of cells of a plane, padding included.
  [[nodiscard]] SEEDWAVE_HD std::int64_t cells() const { return pitch * ny * nz; }
  [[nodiscard]] SEEDWAVE_HD std::int64_t offset(std::int64_t x, std::int64_t y,
                                                std::int64_t z) const {
    return x + pitch * (y + ny * z);
  }
  /// Converts an offset without padding (a Seed's) to an offset of this grid.
  [[nodiscard]] SEEDWAVE_HD std::int64_t padded(std::int64_t offset) const {
    return offset / nx * pitch + offset % nx;
  }
  [[nodiscard]] SEEDWAVE_HD bool contains(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz;
  }
};

/// The half of a cell's neighbours that lie ahead of it, with one plane of affinities each. Plane s
/// holds at c the affinity of c and c + step s, or 0 if the step leaves the grid or mask.
struct Steps {
  static constexpr int kMost = 13;
  int count = 0;
  NeighbourStep step[kMost];

  [[nodiscard]] static Steps ahead(Connectivity connectivity) {
    const auto all = neighbour_steps(connectivity);
    Steps steps;
    for (std::size_t i = all.size() / 2; i < all.size(); ++i)
      steps.step[steps.count++] = all[i];
    return steps;
  }
};

/// Aligned so that a thread moves it in one transaction.
struct alignas(16) U16Vector {
  std::uint16_t cell[kVector];
};

/// `first` must lie at a multiple of kVector in a plane of a Grid.
[[nodiscard]] SEEDWAVE_HD inline U16Vector load_vector(const std::uint16_t* first) {
  return *reinterpret_cast<const U16Vector*>(first);
}
SEEDWAVE_HD inline void store_vector(std::uint16_t* first, const U16Vector& cells) {
  *reinterpret_cast<U16Vector*>(first) = cells;
}

}  // namespace seedwave::gpu
