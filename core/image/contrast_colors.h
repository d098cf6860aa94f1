// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_color.h"
#include "core/image/volume.h"

#include <cstddef>
#include <vector>

namespace seedwave {

/// Bright, full colours that stand out on a colour picture and from each other: for outlines.
///
/// Each is far in CIE Lab from all but a few of the picture's pixels; among those, each is the one
/// farthest from all before it. The same picture gives the same colours.
///
/// picture: u8, 3 components. Fewer than `count` where no more are far enough. Cost: some thousand
/// of its pixels, however large it is.
[[nodiscard]] std::vector<Rgb> contrast_colors(const Volume& picture, std::size_t count);

}  // namespace seedwave
