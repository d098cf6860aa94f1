// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <array>
#include <cstdint>
#include <vector>

namespace seedwave {

/// A closed line in one slice of a grid. Corners are continuous indices along the two axes in the
/// slice; the last is joined with the first.
struct Outline {
  /// The grid axis normal to the slice, and the slice along it.
  int slice_axis = 2;
  std::int64_t slice = 0;
  /// The other two axes, in the order of a corner's numbers.
  std::array<int, 2> axes{0, 1};
  std::vector<std::array<double, 2>> corners;
};

/// Returns the sorted offsets of the voxels whose centres an outline encloses (even-odd rule: where
/// it crosses itself, what it enclosed twice is outside). A centre on an edge belongs to one side
/// alone, so outlines that share an edge share no voxel. Empty for fewer than three corners.
[[nodiscard]] std::vector<std::int64_t> rasterise(const Outline& outline, const Geometry& geometry);

}  // namespace seedwave
