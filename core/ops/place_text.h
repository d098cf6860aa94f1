// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace seedwave {

/// A pixel of a picture: column and row, from 0 on.
using PixelIndex = std::array<std::int64_t, 2>;

/// The word for no pixel.
inline constexpr const char* kNowhere = "none";

/// "120,45" as (120, 45); nothing where it is not two whole numbers, digits alone.
[[nodiscard]] std::optional<PixelIndex> parse_place(const std::string& text);
/// The text that reads back as the same place.
[[nodiscard]] std::string place_text(const PixelIndex& place);

}  // namespace seedwave
