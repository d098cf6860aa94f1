// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/ball.h"
#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

/// Dilation, erosion, opening and closing by a flat structuring element, for images of one value
/// per voxel. The result has the image's type; -0.0 becomes +0.0. The element is clipped at the
/// image border.
///
/// Exact, and bitwise equal for any number of threads. Cost per voxel: one comparison for each of
/// the element's rows (2r + 1 for a disc, about pi r^2 for a ball) and three for each distinct
/// width, all vectorised. Each function throws InputError if a value is NaN, and Cancelled.
namespace seedwave {

/// A flat structuring element that is symmetric about its centre, stored as rows along x.
class FlatElement {
 public:
  using Row = BallRow;

  /// Returns the voxels of ball_rows(): a disc in 2-D and a ball in 3-D. `radius` is in mm (pixels
  /// in 2-D images without a scale). Offsets longer than the grid are omitted.
  [[nodiscard]] static FlatElement ball(double radius, const Geometry& geometry);
  /// Returns all voxels within `reach` along each axis.
  [[nodiscard]] static FlatElement box(const Index3& reach, const Geometry& geometry);

  /// Returns the rows, narrow ones first.
  [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
  /// Returns the largest |dx|, |dy| and |dz|.
  [[nodiscard]] const Index3& reach() const noexcept { return reach_; }

 private:
  explicit FlatElement(std::vector<Row> rows);

  std::vector<Row> rows_;
  Index3 reach_{};
};

/// Returns the largest value under the element.
[[nodiscard]] Volume dilated(const Volume& image, const FlatElement& element, Context& context);
/// Returns the smallest value under the element.
[[nodiscard]] Volume eroded(const Volume& image, const FlatElement& element, Context& context);
/// Returns the dilation of the erosion, which preserves structures that contain the element.
[[nodiscard]] Volume opened(const Volume& image, const FlatElement& element, Context& context);
/// Returns the erosion of the dilation.
[[nodiscard]] Volume closed(const Volume& image, const FlatElement& element, Context& context);

}  // namespace seedwave
