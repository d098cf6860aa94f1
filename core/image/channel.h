// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave {

/// One channel to which a colour image can be reduced.
struct Channel {
  /// "gray", "red", "green", "blue", "hematoxylin", "eosin", "dab", or as stain_channel() writes
  /// it.
  std::string id;
  std::string title;  // for a list
};

/// Returns all named channels in reading order; the first is the initial one for a colour image.
[[nodiscard]] const std::vector<Channel>& channels();

/// Returns the name of a channel of one's own: the amount of a stain beside another one, by their
/// optical densities in red, green and blue, written with three digits after the point:
/// "stain:0.651,0.701,0.29:0.216,0.801,0.558". Throws InputError as channel_named() if they do not
/// differ.
[[nodiscard]] std::string stain_channel(const Vec3& wanted, const Vec3& other);

/// Returns the channel of that name, also of one's own. Throws InputError if there is none (lists
/// those with names), and for stains without a density, or that can hardly be told apart (less than
/// one degree).
[[nodiscard]] Channel channel_named(std::string_view id);
/// The same, or nothing.
[[nodiscard]] std::optional<Channel> find_channel(std::string_view id);

/// Returns one channel of an RGB image of u8, for operations that read one value per voxel.
///
/// gray: 0.299 R + 0.587 G + 0.114 B, rounded, u8 (ITU-R BT.601). red, green, blue: as stored, u8.
/// hematoxylin, eosin, dab: f32 amount of the stain by colour deconvolution (stains.h), with the
/// stain pairs H and E, E and H, DAB and H; of one's own stains, the first beside the second.
/// Throws InputError if the volume is not RGB u8, and as channel_named().
[[nodiscard]] Volume channel_of(const Volume& rgb, std::string_view id);
/// Returns the type of that channel. Throws InputError as channel_named().
[[nodiscard]] VoxelType type_of_channel(std::string_view id);

/// A channel as a sum over the components of a pixel, for those who show it.
struct ChannelSum {
  /// By the value of red, green and blue: what each adds to the channel's value.
  std::array<std::array<double, 256>, 3> parts{};
  /// The optical densities of one unit of a stain in red, green and blue; nothing if the value is
  /// an intensity of 0..255.
  std::optional<Vec3> stain{};
};

/// Throws InputError as channel_named().
[[nodiscard]] ChannelSum sum_of_channel(std::string_view id);

}  // namespace seedwave
