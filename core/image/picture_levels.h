// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <vector>

namespace seedwave {

/// Images of at most this many pixels per side are drawn without smaller levels.
inline constexpr std::int64_t kSmallPicture = 1024;

/// Returns the levels of an image pyramid, for displaying a large 2-D image whole. Each level has
/// half the width and height of the one before, rounded up, the first half of `picture`, until both
/// are small.
///
/// A pixel is the mean of the 2 x 2 pixels under it, or of those that exist in the last column and
/// row; integers are rounded to the nearest. Type, components and position in the world stay the
/// same. Empty for a volume and for a small image. Cost: one pass, and a third of the image's
/// memory.
[[nodiscard]] std::vector<Volume> picture_levels(const Volume& picture);

}  // namespace seedwave
