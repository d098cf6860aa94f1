// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave::cli {

inline constexpr int kLetterWidth = 10;
inline constexpr int kLetterHeight = 14;

/// Returns whether a pixel of an orientation letter (R L A P S I) is set; false for other
/// characters.
/// x < kLetterWidth, y < kLetterHeight.
[[nodiscard]] bool letter_pixel(char letter, int x, int y) noexcept;

}  // namespace seedwave::cli
