// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/distance.h"

namespace seedwave::reference {

std::vector<Nearest> nearest_sources(const std::vector<std::int64_t>& names, const Index3& size,
                                     const std::array<std::int64_t, 3>& weights) {
  struct Source {
    Index3 at;
    std::int64_t name;
  };
  const auto index_of = [&](std::int64_t i) {
    return Index3{i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
  };
  const auto count = static_cast<std::int64_t>(names.size());
  std::vector<Source> sources;
  for (std::int64_t i = 0; i < count; ++i) {
    if (names[static_cast<std::size_t>(i)] >= 0)
      sources.push_back({index_of(i), names[static_cast<std::size_t>(i)]});
  }
  std::vector<Nearest> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const Index3 at = index_of(i);
    Nearest best;
    for (const Source& source : sources) {
      std::int64_t square = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t apart = at[axis] - source.at[axis];
        square += apart * apart * weights[axis];
      }
      const bool nearer = best.name < 0 || square < best.square;
      if (nearer || (square == best.square && source.name < best.name))
        best = {square, source.name};
    }
    result.push_back(best);
  }
  return result;
}

}  // namespace seedwave::reference
