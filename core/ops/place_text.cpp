// SPDX-License-Identifier: Apache-2.0
#include "core/ops/place_text.h"

#include "core/base/number_text.h"

#include <cstddef>
#include <string_view>

namespace seedwave {

std::optional<PixelIndex> parse_place(const std::string& text) {
  PixelIndex place{};
  std::string_view rest = text;
  for (std::size_t axis = 0; axis < place.size(); ++axis) {
    if (axis > 0 && !rest.starts_with(',')) return std::nullopt;
    if (axis > 0) rest.remove_prefix(1);
    if (rest.starts_with('-')) return std::nullopt;
    const auto number = take_number<PixelIndex::value_type>(rest);
    if (!number) return std::nullopt;
    place[axis] = *number;
  }
  if (!rest.empty()) return std::nullopt;
  return place;
}

std::string place_text(const PixelIndex& place) {
  return std::to_string(place[0]) + "," + std::to_string(place[1]);
}

}  // namespace seedwave
