// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <vector>

namespace seedwave {

/// Pictures of at most this many pixels per side are drawn whole without smaller forms of them.
inline constexpr std::int64_t kSmallPicture = 1024;

/// A large picture on ever fewer pixels, to show it whole: each level has half the width and height
/// of the one before, rounded up, the first half of `picture`, until both are small.
///
/// A pixel is the mean of the 2 x 2 under it, or of those that exist at the last column and row;
/// integers are rounded to the nearest. Same type and components, same place in the world. Empty
/// for a volume and for a small picture. Cost: one pass; a third of the picture's memory.
[[nodiscard]] std::vector<Volume> picture_levels(const Volume& picture);

}  // namespace seedwave
