// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/flat_morphology.h"

#include <algorithm>
#include <cmath>

namespace seedwave::reference {

std::vector<double> ball_extreme(const Volume& image, double radius, bool by_erosion) {
  const Geometry& geometry = image.geometry();
  const std::int64_t count = geometry.voxel_count();
  std::vector<double> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const Index3 here = geometry.index_of(i);
    double extreme = image.value_at(here);
    for (std::int64_t j = 0; j < count; ++j) {
      const Index3 there = geometry.index_of(j);
      double squared = 0.0;
      for (int axis = 0; axis < 3; ++axis) {
        const double apart = static_cast<double>(there[axis] - here[axis]) * geometry.spacing[axis];
        squared += apart * apart;
      }
      // To a millionth, the intended precision of radius and spacing.
      if (std::sqrt(squared) > radius * (1.0 + 1e-6)) continue;
      const double value = image.value_at(there);
      extreme = by_erosion ? std::min(extreme, value) : std::max(extreme, value);
    }
    result.push_back(extreme);
  }
  return result;
}

}  // namespace seedwave::reference
