// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <string>
#include <string_view>
#include <vector>

namespace seedwave {

/// One channel to which a colour image can be reduced.
struct Channel {
  std::string id;     // "gray", "red", "green", "blue", "hematoxylin", "eosin", "dab"
  std::string title;  // for a list
};

/// Returns all channels in reading order; the first is the initial one for a colour image.
[[nodiscard]] const std::vector<Channel>& channels();

/// Returns one channel of an RGB image of u8, for operations that read one value per voxel.
///
/// gray: 0.299 R + 0.587 G + 0.114 B, rounded, u8 (ITU-R BT.601). red, green, blue: as stored, u8.
/// hematoxylin, eosin, dab: f32 amount of the stain by colour deconvolution (stains.h), with the
/// stain pairs H and E, E and H, DAB and H.
/// Throws InputError if the volume is not RGB u8, or if no channel has that name (lists them).
[[nodiscard]] Volume channel_of(const Volume& rgb, std::string_view id);
/// Returns the type of that channel. Throws InputError if there is none of that name.
[[nodiscard]] VoxelType type_of_channel(std::string_view id);

}  // namespace seedwave
