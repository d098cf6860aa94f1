// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_color.h"

namespace seedwave {

/// Returns the colour of a cyclic value, such as the angle of a line. `share` is the share of the
/// period: 0 and 1 are the same, and any number counts by its fraction.
///
/// The colours form a circle in CIE Lab, the widest (within a few per cent) that sRGB holds with
/// its lightness between 58 and 76. Every step of the same size is therefore the same distance
/// there, and no value stands out. 0 is red, a third green, two thirds blue.
[[nodiscard]] Rgb cyclic_color(double share);

}  // namespace seedwave
