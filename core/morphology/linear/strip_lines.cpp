// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/strip_lines.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace seedwave::linear {

StripLines strip_lines(const LineFamily& family) {
  StripLines lines{family.major(), {}, {}, {}};
  for (int axis = 0; axis < 3; ++axis) {
    lines.shifts[axis] = family.shifts(axis);
    lines.first_base[axis] = family.first_base(axis);
    lines.last_base[axis] = family.last_base(axis);
  }
  return lines;
}

StripLines turned_strip_lines(const LineFamily& family) {
  StripLines lines = strip_lines(family);
  lines.major = 1;
  std::swap(lines.shifts[0], lines.shifts[1]);
  std::swap(lines.first_base[0], lines.first_base[1]);
  std::swap(lines.last_base[0], lines.last_base[1]);
  return lines;
}

bool is_straight(const LineFamily& family) {
  for (int axis = 0; axis < 3; ++axis) {
    if (axis != family.major() && family.shifts(axis).back() != 0) return false;
  }
  return true;
}

bool is_diagonal(const LineFamily& family) {
  return family.major() == 0 && std::abs(family.step()[1]) == 1.0 && family.shifts(2).back() == 0;
}

StripLines diagonals_along_y(const LineFamily& family) {
  const auto count = static_cast<std::size_t>(family.size()[1]);
  const std::int64_t reach = family.size()[1] - 1;
  StripLines lines{1, {}, {}, {}};
  lines.backwards = family.step()[1] < 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto step = static_cast<std::int32_t>(i);
    lines.shifts[0].push_back(lines.backwards ? -step : step);
    lines.shifts[1].push_back(step);
  }
  lines.shifts[2].assign(count, 0);
  lines.first_base = {lines.backwards ? 0 : -reach, 0, 0};
  lines.last_base = {family.size()[0] - 1 + (lines.backwards ? reach : 0), 0, family.size()[2] - 1};
  return lines;
}

}  // namespace seedwave::linear
