// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <string>
#include <string_view>
#include <vector>

namespace seedwave {

/// One channel that a colour picture can be turned to.
struct Channel {
  std::string id;     // "gray", "red", "green", "blue", "hematoxylin", "eosin", "dab"
  std::string title;  // for a list
};

/// All channels, in reading order; the first is what a colour picture starts with.
[[nodiscard]] const std::vector<Channel>& channels();

/// One channel of an RGB picture of u8, for operations that read one value per voxel.
///
/// gray: 0.299 R + 0.587 G + 0.114 B, rounded, u8 (ITU-R BT.601). red, green, blue: as stored, u8.
/// hematoxylin, eosin, dab: f32 amount of the stain by colour deconvolution (stains.h), H with E,
/// E with H, DAB with H.
/// Throws InputError: the volume is not RGB u8, or no channel has that name (lists them).
[[nodiscard]] Volume channel_of(const Volume& rgb, std::string_view id);

}  // namespace seedwave
