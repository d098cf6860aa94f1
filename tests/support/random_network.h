// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/minimum_cut.h"
#include "tests/support/random_numbers.h"

#include <array>
#include <cstdint>
#include <vector>

namespace seedwave::test {

/// A network on a grid.
struct RandomNetwork {
  std::array<int, 3> size{};
  std::vector<border::CutCell> cells;
};

/// Returns a network on a grid of at most this size, with some cells missing, as a band has them.
inline RandomNetwork random_network(RandomNumbers& random, const std::array<int, 3>& most) {
  RandomNetwork grid;
  for (int axis = 0; axis < 3; ++axis)
    grid.size[axis] = 1 + static_cast<int>(random.below(most[axis]));
  const std::int64_t range = random.of(std::array<std::int64_t, 4>{2, 4, 30, 4000});
  const bool has_gaps = random.below(2) == 0;
  std::vector<std::int32_t> ids;
  for (int i = 0; i < grid.size[0] * grid.size[1] * grid.size[2]; ++i) {
    if (has_gaps && random.below(5) == 0) {
      ids.push_back(border::CutCell::kNone);
      continue;
    }
    ids.push_back(static_cast<std::int32_t>(grid.cells.size()));
    border::CutCell cell;
    if (random.below(3) != 0)
      cell.terminal = static_cast<std::int32_t>(random.below(2 * range + 1) - range);
    grid.cells.push_back(cell);
  }
  int stride = 1;
  for (int axis = 0; axis < 3; stride *= grid.size[axis++]) {
    for (int i = 0; i < static_cast<int>(ids.size()); ++i) {
      if (i / stride % grid.size[axis] + 1 == grid.size[axis]) continue;
      const std::int32_t a = ids[i];
      const std::int32_t b = ids[i + stride];
      if (a == border::CutCell::kNone || b == border::CutCell::kNone) continue;
      const auto capacity = static_cast<std::int32_t>(random.below(range));
      grid.cells[a].neighbours[2 * axis] = b;
      grid.cells[b].neighbours[2 * axis + 1] = a;
      grid.cells[a].capacities[2 * axis] = capacity;
      grid.cells[b].capacities[2 * axis + 1] = capacity;
    }
  }
  return grid;
}

}  // namespace seedwave::test
