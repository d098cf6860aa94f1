// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_color.h"

#include <array>

namespace seedwave {

/// L*, a*, b* under D65 (CIE 15): equal distances look about equally different.
using Lab = std::array<double, 3>;

/// Converts an sRGB colour (IEC 61966-2-1).
[[nodiscard]] Lab to_lab(const Rgb& rgb);
/// Returns the nearest bytes; a channel outside sRGB is clamped to 0 or 255.
[[nodiscard]] Rgb to_rgb(const Lab& lab);

/// Returns the CIE 1976 colour difference.
[[nodiscard]] double lab_distance(const Lab& a, const Lab& b);

}  // namespace seedwave
