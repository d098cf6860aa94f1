// SPDX-License-Identifier: Apache-2.0
#include "core/ops/direction_text.h"

#include "core/base/number_text.h"

#include <cstddef>
#include <string_view>

namespace seedwave {

std::optional<Vec3> parse_direction(const std::string& text) {
  std::string_view rest = text;
  Vec3 direction{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t comma = rest.find(',');
    if ((comma == std::string_view::npos) != (axis == 2)) return std::nullopt;
    const std::optional<double> number = parse_number(rest.substr(0, comma));
    if (!number) return std::nullopt;
    direction[axis] = *number;
    if (axis < 2) rest.remove_prefix(comma + 1);
  }
  if (direction == Vec3{0.0, 0.0, 0.0}) return std::nullopt;
  return direction;
}

std::string direction_text(const Vec3& direction) {
  return number_text(direction[0]) + "," + number_text(direction[1]) + "," +
         number_text(direction[2]);
}

}  // namespace seedwave
