// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace seedwave {

/// A pixel of a 2-D image: column and row, from 0.
using PixelIndex = std::array<std::int64_t, 2>;

/// The word for no pixel.
inline constexpr const char* kNowhere = "none";

/// Parses "120,45" as (120, 45). Returns nothing if it is not two whole numbers of digits only.
[[nodiscard]] std::optional<PixelIndex> parse_place(const std::string& text);
/// Returns the text that reads back as the same place.
[[nodiscard]] std::string place_text(const PixelIndex& place);

}  // namespace seedwave
