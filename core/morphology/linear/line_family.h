// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <array>
#include <cstdint>
#include <vector>

/// The lines of one direction: an image is cut into translates of one digital line, so that each
/// cell lies on exactly one (Karas et al. 2015, 4.2; Soille, Breen, Jones 1996).
namespace seedwave {

/// One digital line through an image: cells base + steps(i) for i in first .. last - 1, with the
/// steps of its family. All of them lie inside.
struct DigitalLine {
  Index3 base;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Along `major` a line has one cell at each place 0 .. size - 1; along another axis it is shifted
/// by round(i * slope), halves away from zero. The shifts are one table of whole numbers for all
/// backends, monotone, so that what a line has inside an image is in one piece.
class LineFamily {
 public:
  /// Along (x, y, z) in cells, not all 0, either way. The major axis is the longest, of equals the
  /// first. Throws UsageError where none is longest (a NaN, or all 0).
  static LineFamily along(const Vec3& direction, const Index3& size);
  /// In a picture, in degrees counter-clockwise from +x as seen on the screen (rows go down).
  /// Multiples of 45 degrees are exact.
  static LineFamily at_angle(double degrees, const Index3& size);

  /// The same lines in layers first .. first + count - 1 along `axis`, as an image of its own.
  [[nodiscard]] LineFamily part(int axis, std::int64_t first, std::int64_t count) const;

  [[nodiscard]] int major() const noexcept { return major_; }
  [[nodiscard]] const Index3& size() const noexcept { return size_; }
  /// Where the line through the origin is on `axis` at its place i; along the major axis that is i.
  [[nodiscard]] const std::vector<std::int32_t>& shifts(int axis) const noexcept {
    return shifts_[axis];
  }
  /// From one cell to the next by how much, so that a length along the line can be told in cells:
  /// (1, slope, slope), the 1 at the major axis.
  [[nodiscard]] const Vec3& step() const noexcept { return step_; }

  /// How many lines there are to look at; some may have no cell inside.
  [[nodiscard]] std::int64_t line_count() const noexcept;
  [[nodiscard]] DigitalLine line(std::int64_t number) const noexcept;
  /// Where the line through `base` is inside the image, as places first .. last - 1.
  [[nodiscard]] DigitalLine inside(const Index3& base) const noexcept;

  /// Bases along `axis` that have cells inside reach from -highest shift to size - 1 - lowest.
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
