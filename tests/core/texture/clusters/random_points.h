// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/clusters/points.h"
#include "tests/support/random_numbers.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave::test {

/// A separate function, because g++ 12 reports nested lists of these as uninitialised.
inline Points points_of(std::int64_t dimensions, std::vector<double> values) {
  return {dimensions, std::move(values)};
}

/// Returns a uniform number in 0 .. 1, a multiple of a millionth.
inline double random_share(RandomNumbers& random) {
  constexpr std::int64_t kSteps = 1'000'000;
  return static_cast<double>(random.below(kSteps)) / kSteps;
}

inline Points random_points(RandomNumbers& random, std::int64_t count, std::int64_t dimensions) {
  Points points = Points::zeros(count, dimensions);
  for (double& value : points.values)
    value = random_share(random);
  return points;
}

/// Returns integers 0 .. steps - 1: many equal points and equal distances.
inline Points random_lattice(RandomNumbers& random, std::int64_t count, std::int64_t dimensions,
                             std::int64_t steps) {
  Points points = Points::zeros(count, dimensions);
  for (double& value : points.values)
    value = static_cast<double>(random.below(steps));
  return points;
}

}  // namespace seedwave::test
