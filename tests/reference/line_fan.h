// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/linear_opening.h"

#include <cstdint>
#include <vector>

namespace seedwave::reference {

/// Lines of one direction, the window's length, and the number of cells by which each line is
/// continued.
struct Segments {
  Lines lines;
  std::int64_t length = 1;
  std::int64_t front = 0;
  std::int64_t behind = 0;
};

struct Orientation {
  std::vector<double> strongest;
  std::vector<double> first;
};
/// Returns for each voxel the highest opening (lowest closing) and the first direction that has it.
Orientation orientation(const Volume& image, const std::vector<Segments>& fan, bool closing);

/// Returns the sum of each opening (closing): of the fan of an angular spectrum, or of the lengths
/// of a granulometry. Exact if f64 can represent the values' sums.
std::vector<double> sums(const Volume& image, const std::vector<Segments>& fan, bool closing);

}  // namespace seedwave::reference
