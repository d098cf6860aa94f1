// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <array>
#include <cstdint>
#include <vector>

/// The lines of one direction. An image is divided into translates of one digital line, so each
/// cell lies on exactly one (Karas et al. 2015, 4.2; Soille, Breen, Jones 1996).
namespace seedwave {

/// One digital line through an image: cells base + steps(i) for i in first .. last - 1, with the
/// steps of its family. All of them lie inside.
struct DigitalLine {
  Index3 base;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Along `major` a line has one cell at each position 0 .. size - 1. Along another axis it is
/// shifted by round(i * slope), halves away from zero. The shifts are one integer table for all
/// backends. They are monotone, so the part of a line inside an image is contiguous.
class LineFamily {
 public:
  /// Returns the lines along (x, y, z) in cells, not all 0, in either direction. The major axis is
  /// the longest component, the first of equal ones. Throws UsageError if there is no longest
  /// component (a NaN, or all 0).
  static LineFamily along(const Vec3& direction, const Index3& size);
  /// Returns the lines at an angle in 2-D, in degrees counter-clockwise from +x as seen on the
  /// screen (rows go down). Multiples of 45 degrees are exact.
  static LineFamily at_angle(double degrees, const Index3& size);

  /// Returns the same lines in layers first .. first + count - 1 along `axis`, as a separate image.
  [[nodiscard]] LineFamily part(int axis, std::int64_t first, std::int64_t count) const;

  [[nodiscard]] int major() const noexcept { return major_; }
  [[nodiscard]] const Index3& size() const noexcept { return size_; }
  /// Returns the positions on `axis` of the line through the origin, by its position i. Along the
  /// major axis the position is i.
  [[nodiscard]] const std::vector<std::int32_t>& shifts(int axis) const noexcept {
    return shifts_[axis];
  }
  /// Returns the step from one cell to the next, which converts a length along the line to cells:
  /// (1, slope, slope), with the 1 at the major axis.
  [[nodiscard]] const Vec3& step() const noexcept { return step_; }

  /// Returns the number of lines to visit. Some may have no cell inside.
  [[nodiscard]] std::int64_t line_count() const noexcept;
  [[nodiscard]] DigitalLine line(std::int64_t number) const noexcept;
  /// Returns the part of the line through `base` inside the image, as positions first .. last - 1.
  [[nodiscard]] DigitalLine inside(const Index3& base) const noexcept;

  /// Returns the first base along `axis` with cells inside. Bases range from -(highest shift) to
  /// size - 1 - (lowest shift).
  [[nodiscard]] std::int64_t first_base(int axis) const noexcept;
  [[nodiscard]] std::int64_t last_base(int axis) const noexcept;

 private:
  LineFamily(const Vec3& direction, const Index3& size);

  Index3 size_;
  int major_ = 0;
  Vec3 step_{};
  std::array<std::vector<std::int32_t>, 3> shifts_;
};

}  // namespace seedwave
