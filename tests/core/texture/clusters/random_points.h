// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/clusters/points.h"
#include "tests/support/random_numbers.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave::test {

/// In a place of its own: g++ 12 takes nested lists of these for uninitialised.
inline Points points_of(std::int64_t dimensions, std::vector<double> values) {
  return {dimensions, std::move(values)};
}

/// Uniform in 0 .. 1, in thousandths of thousandths.
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

/// Whole numbers 0 .. steps - 1: many equal points and equal distances.
inline Points random_lattice(RandomNumbers& random, std::int64_t count, std::int64_t dimensions,
                             std::int64_t steps) {
  Points points = Points::zeros(count, dimensions);
  for (double& value : points.values)
    value = static_cast<double>(random.below(steps));
  return points;
}

}  // namespace seedwave::test
