// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "tests/support/random_numbers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave::test {

inline LabelMap picture(std::int64_t nx, std::int64_t ny, std::vector<std::uint16_t> phases) {
  Geometry geometry;
  geometry.size = {nx, ny, 1};
  return {geometry, std::move(phases)};
}

/// Returns noise, patches, or a single phase, with cells of no phase and phases without cells.
inline LabelMap random_phases(RandomNumbers& random, std::int64_t nx, std::int64_t ny,
                              std::int64_t count) {
  const std::int64_t patch = random.of(std::array<std::int64_t, 4>{1, 1, 3, 1000});
  const std::int64_t lowest = random.below(2);
  const std::int64_t across = nx / patch + 1;
  std::vector<std::uint16_t> patches;
  for (std::int64_t i = 0; i < across * (ny / patch + 1); ++i)
    patches.push_back(static_cast<std::uint16_t>(lowest + random.below(count + 1 - lowest)));
  std::vector<std::uint16_t> phases;
  for (std::int64_t y = 0; y < ny; ++y) {
    for (std::int64_t x = 0; x < nx; ++x)
      phases.push_back(patches[static_cast<std::size_t>(y / patch * across + x / patch)]);
  }
  return picture(nx, ny, std::move(phases));
}

/// Returns a wide picture of one phase, like glass, with some patches and specks of others.
inline LabelMap phases_on_glass(RandomNumbers& random, std::int64_t nx, std::int64_t ny,
                                std::int64_t count) {
  std::vector<std::uint16_t> phases(static_cast<std::size_t>(nx * ny),
                                    static_cast<std::uint16_t>(random.below(count + 1)));
  for (std::int64_t i = random.below(4); i > 0; --i) {
    const std::int64_t side = random.below(2) == 0 ? 1 : 1 + random.below(30);
    const auto phase = static_cast<std::uint16_t>(random.below(count + 1));
    const std::int64_t x = random.below(nx);
    const std::int64_t y = random.below(ny);
    for (std::int64_t row = y; row < std::min(ny, y + side); ++row)
      std::fill_n(phases.begin() + row * nx + x, std::min(nx - x, side), phase);
  }
  return picture(nx, ny, std::move(phases));
}

}  // namespace seedwave::test
