// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_color.h"
#include "core/image/volume.h"

#include <cstddef>
#include <vector>

namespace seedwave {

/// Returns bright, full colours that stand out against a colour image and from each other, for
/// outlines.
///
/// Each is far in CIE Lab from all but a few of the image's pixels; among such colours, each is the
/// one farthest from all before it. The same image gives the same colours.
///
/// picture: u8, 3 components. Returns fewer than `count` if no more are far enough. Cost: a few
/// thousand pixels are read, however large the image is.
[[nodiscard]] std::vector<Rgb> contrast_colors(const Volume& picture, std::size_t count);

}  // namespace seedwave
