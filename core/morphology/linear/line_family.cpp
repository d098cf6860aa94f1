// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/line_family.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace seedwave {
namespace {

int longest_axis(const Vec3& direction) {
  int longest = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (std::abs(direction[axis]) > std::abs(direction[longest])) longest = axis;
  }
  return longest;
}

}  // namespace

LineFamily::LineFamily(const Vec3& direction, const Index3& size)
    : size_(size), major_(longest_axis(direction)) {
  const auto count = static_cast<std::size_t>(size[major_]);
  for (int axis = 0; axis < 3; ++axis) {
    step_[axis] = axis == major_ ? 1.0 : direction[axis] / direction[major_];
    shifts_[axis].resize(count);
    for (std::size_t i = 0; i < count; ++i)
      shifts_[axis][i] =
          static_cast<std::int32_t>(std::lround(static_cast<double>(i) * step_[axis]));
  }
}

LineFamily LineFamily::along(const Vec3& direction, const Index3& size) {
  const double length = std::hypot(direction[0], direction[1], direction[2]);
  if (!(length > 0.0) || !std::isfinite(length))
    throw UsageError("a direction needs three numbers that are not all 0");
  return {direction, size};
}

LineFamily LineFamily::at_angle(double degrees, const Index3& size) {
  // Slopes are tangents of at most 45 degrees. On the screen +y is up, but rows go down.
  const double turned = std::remainder(degrees, 180.0);  // -90 .. 90
  const auto slope = [](double angle) {
    if (angle == 0.0) return 0.0;
    if (std::abs(angle) == 45.0) return angle > 0.0 ? 1.0 : -1.0;
    return std::tan(angle * std::numbers::pi / 180.0);
  };
  if (std::abs(turned) <= 45.0) return {{1.0, -slope(turned), 0.0}, size};
  return {{-slope(turned > 0.0 ? 90.0 - turned : -90.0 - turned), 1.0, 0.0}, size};
}

LineFamily LineFamily::part(int axis, std::int64_t first, std::int64_t count) const {
  LineFamily lines = *this;
  lines.size_[axis] = count;
  if (axis != major_) return lines;
  for (auto& shifts : lines.shifts_) {
    shifts = std::vector(shifts.begin() + first, shifts.begin() + first + count);
    // Lines are translates, so their shifts are relative to the first position of each.
    const std::int32_t start = shifts.front();
    for (std::int32_t& shift : shifts)
      shift -= start;
  }
  return lines;
}

std::int64_t LineFamily::first_base(int axis) const noexcept {
  if (axis == major_) return 0;
  return -std::max<std::int64_t>(0, shifts_[axis].back());
}

std::int64_t LineFamily::last_base(int axis) const noexcept {
  if (axis == major_) return 0;
  return size_[axis] - 1 - std::min<std::int64_t>(0, shifts_[axis].back());
}

std::int64_t LineFamily::line_count() const noexcept {
  std::int64_t count = 1;
  for (int axis = 0; axis < 3; ++axis)
    count *= last_base(axis) - first_base(axis) + 1;
  return count;
}

DigitalLine LineFamily::line(std::int64_t number) const noexcept {
  Index3 base{};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t bases = last_base(axis) - first_base(axis) + 1;
    base[axis] = first_base(axis) + number % bases;
    number /= bases;
  }
  return inside(base);
}

DigitalLine LineFamily::inside(const Index3& base) const noexcept {
  DigitalLine line{base, 0, size_[major_]};
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == major_) continue;
    const auto& shifts = shifts_[axis];
    const bool rises = shifts.back() >= 0;
    // Shifts are monotone, so a line is outside before one position and after another.
    const auto before = [&](std::int32_t shift) {
      const std::int64_t place = base[axis] + shift;
      return rises ? place < 0 : place >= size_[axis];
    };
    const auto not_after = [&](std::int32_t shift) {
      const std::int64_t place = base[axis] + shift;
      return rises ? place < size_[axis] : place >= 0;
    };
    line.first = std::max<std::int64_t>(
        line.first, std::partition_point(shifts.begin(), shifts.end(), before) - shifts.begin());
    line.last = std::min<std::int64_t>(
        line.last, std::partition_point(shifts.begin(), shifts.end(), not_after) - shifts.begin());
  }
  line.last = std::max(line.first, line.last);
  return line;
}

}  // namespace seedwave
