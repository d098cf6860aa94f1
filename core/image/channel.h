// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/stains.h"
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
/// "stain:0.651,0.701,0.29:0.216,0.801,0.558"; then, unless it is white, the background in red,
/// green and blue: "stain:0.651,0.701,0.29:0.216,0.801,0.558:243,240,245". Throws InputError as
/// channel_named() if the stains do not differ, or a component of the background is 0.
[[nodiscard]] std::string stain_channel(const Vec3& wanted, const Vec3& other,
                                        const Rgb& background = kWhiteBackground);

/// Reads a background as stain_channel() writes it, "243,240,245"; nothing if it is something else.
[[nodiscard]] std::optional<Rgb> parse_background(std::string_view text);

/// Returns the channel of that name, also of one's own. Throws InputError if there is none (lists
/// those with names), for stains without a density, or that can hardly be told apart (less than
/// one degree), and for a background that is not of 1 to 255.
[[nodiscard]] Channel channel_named(std::string_view id);
/// The same, or nothing.
[[nodiscard]] std::optional<Channel> find_channel(std::string_view id);

/// Returns one channel of an RGB image of u8, for operations that read one value per voxel.
///
/// gray: 0.299 R + 0.587 G + 0.114 B, rounded, u8 (ITU-R BT.601). red, green, blue: as stored, u8.
/// hematoxylin, eosin, dab: f32 amount of the stain by colour deconvolution (stains.h), with the
/// stain pairs H and E, E and H, DAB and H, on a white background; of one's own stains, the first
/// beside the second, on their background.
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
  /// The colour in which no stain is.
  Rgb background = kWhiteBackground;
};

/// Throws InputError as channel_named().
[[nodiscard]] ChannelSum sum_of_channel(std::string_view id);

}  // namespace seedwave
