// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// A flat structuring element that is its own mirror image, as rows along x: the voxels
/// (-half_width .. half_width, dy, dz) of each.
class FlatElement {
 public:
  struct Row {
    std::int64_t dy = 0;
    std::int64_t dz = 0;
    std::int64_t half_width = 0;
  };

  /// The voxels whose centres lie within `radius` of the middle one's, on a grid of that spacing:
  /// (dx sx)^2 + (dy sy)^2 + (dz sz)^2 <= r^2, with a billionth of r^2 to spare for spacings that
  /// binary numbers do not hold. A disc on an image, a ball in a volume; `radius` in millimetres,
  /// on a picture without scale in pixels. What no two voxels of the grid span is left out.
  [[nodiscard]] static FlatElement ball(double radius, const Geometry& geometry);
  /// All voxels within `reach` along each axis.
  [[nodiscard]] static FlatElement box(const Index3& reach, const Geometry& geometry);

  /// The narrow ones first.
  [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
  /// The largest |dx|, |dy| and |dz|.
  [[nodiscard]] const Index3& reach() const noexcept { return reach_; }

 private:
  explicit FlatElement(std::vector<Row> rows);

  std::vector<Row> rows_;
  Index3 reach_{};
};

}  // namespace seedwave
