// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace seedwave {

/// Cells above are inside, cells below outside; none lies on it.
inline constexpr double kIndicatorLevel = 127.5;

/// The share of a label in cells of `factor` voxels a side, 0 to 255. The outermost cells are 0.
struct Indicator {
  Index3 size{0, 0, 0};
  /// The first voxel of the first cell; may be outside the grid.
  Index3 lo{0, 0, 0};
  std::int64_t factor = 1;
  std::vector<std::uint8_t> cells;
  /// The number of cells that the label fills, before smoothing.
  double inside = 0;

  /// Returns the voxel index of a cell's centre, or of a point between centres.
  [[nodiscard]] Vec3 voxel_at(const Vec3& cell) const noexcept;
};

/// Returns the size of the indicator of a box.
[[nodiscard]] Index3 indicator_size(const Box& box, std::int64_t factor);

/// Largest factor by which a label can be reduced.
inline constexpr std::int64_t kMostReduction = 40;

/// Returns the smoothed indicator of a label (see smooth_surface). Throws Cancelled.
[[nodiscard]] Indicator smooth_indicator(const LabelMap& map, Label label, const Box& box,
                                         std::int64_t factor, const std::stop_token& stop);

}  // namespace seedwave
