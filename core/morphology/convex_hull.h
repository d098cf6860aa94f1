// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Convex hulls of pixels as squares: of the corners of their cells, in integers.
namespace seedwave {

/// A corner of pixels: pixel (x, y) spans from corner (x, y) to corner (x + 1, y + 1).
struct Corner {
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend bool operator==(const Corner&, const Corner&) = default;
};

/// Reduces points to the vertices of their convex hull, in one sense of rotation, without those on
/// its edges. `work` is overwritten; its memory is used again.
///
/// Cost: that of sorting, or linear if they are sorted by y and then x. Source: A. M. Andrew,
/// Inform. Process. Lett. 9(5):216-219, 1979.
void reduce_to_hull(std::vector<Corner>& points, std::vector<Corner>& work);

/// Returns twice the area of a hull, in pixels.
[[nodiscard]] std::int64_t doubled_area(std::span<const Corner> hull) noexcept;

/// The largest and smallest distance between two parallel lines that touch a hull on both sides:
/// the diameters of Feret.
struct HullDiameters {
  double maximum = 0.0;
  double minimum = 0.0;
};
/// `width`, `height`: of a pixel. The hull must have an area. Cost: linear (M. I. Shamos, rotating
/// calipers, thesis, Yale 1978).
[[nodiscard]] HullDiameters hull_diameters(std::span<const Corner> hull, double width,
                                           double height);

}  // namespace seedwave
