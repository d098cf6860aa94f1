// SPDX-License-Identifier: Apache-2.0
#include "core/ops/place_text.h"

#include <charconv>
#include <system_error>

namespace seedwave {

std::optional<PixelIndex> parse_place(const std::string& text) {
  PixelIndex place{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t axis = 0; axis < place.size(); ++axis) {
    if (axis > 0 && (at == end || *at++ != ',')) return std::nullopt;
    if (at == end || *at == '-') return std::nullopt;
    const auto [stop, error] = std::from_chars(at, end, place[axis]);
    if (error != std::errc()) return std::nullopt;
    at = stop;
  }
  if (at != end) return std::nullopt;
  return place;
}

std::string place_text(const PixelIndex& place) {
  return std::to_string(place[0]) + "," + std::to_string(place[1]);
}

}  // namespace seedwave
