// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_color.h"

namespace seedwave {

/// The colour of a value that comes round again, as the angle of a line does: `share` of the way
/// round, 0 and 1 the same, any number taken as its fraction.
///
/// A circle in CIE Lab, the widest (within a few per cent) that sRGB holds with its lightness
/// between 58 and 76: so every step of the same size is the same distance there, and no value looks
/// as if it stood out. 0 is red, a third green, two thirds blue.
[[nodiscard]] Rgb cyclic_color(double share);

}  // namespace seedwave
