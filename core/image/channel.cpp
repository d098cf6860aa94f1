// SPDX-License-Identifier: Apache-2.0
#include "core/image/channel.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/base/number_text.h"
#include "core/image/vec3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seedwave {

namespace {

Volume grey_of(const Geometry& geometry, std::span<const std::uint8_t> rgb) {
  auto grey = large_vector<std::uint8_t>(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::size_t i = 0; i < grey.size(); ++i) {
    // In thousandths and integers, so that the result is the same on every machine.
    const int sum = 299 * rgb[3 * i] + 587 * rgb[3 * i + 1] + 114 * rgb[3 * i + 2];
    grey[i] = static_cast<std::uint8_t>((sum + 500) / 1000);
  }
  return {geometry, std::move(grey)};
}

Volume component_of(const Geometry& geometry, std::span<const std::uint8_t> rgb, std::size_t c) {
  auto plane = large_vector<std::uint8_t>(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::size_t i = 0; i < plane.size(); ++i)
    plane[i] = rgb[3 * i + c];
  return {geometry, std::move(plane)};
}

struct Stain {
  Vec3 densities;
  /// The other stain that is expected beside it.
  Vec3 other;
  Rgb background = kWhiteBackground;
};

struct NamedStain {
  std::string_view id;
  Stain stain;
};

constexpr std::array<NamedStain, 3> kStains{{{"hematoxylin", {kHematoxylin, kEosin}},
                                             {"eosin", {kEosin, kHematoxylin}},
                                             {"dab", {kDab, kHematoxylin}}}};

/// The optical density of a byte is below 2.5: more is a slip.
constexpr double kMostDensity = 1000.0;
constexpr std::string_view kOwnStain = "stain:";
/// The sine of the least angle between two stains: one degree.
constexpr double kLeastSine = 0.0175;

[[noreturn]] void refuse_own_stain(std::string_view id) {
  throw InputError("the stains of channel '" + std::string(id) +
                   "' cannot be read: write stain:R,G,B:R,G,B with the optical densities of two "
                   "stains, such as stain:0.65,0.7,0.29:0.22,0.8,0.56; a background of another "
                   "colour than white can follow, from 1 to 255, such as :243,240,245");
}

/// Takes the three numbers of "0.65,0.7,0.29" off the beginning of `text`.
template <typename Number>
std::optional<std::array<Number, 3>> take_three(std::string_view& text, Number low, Number high) {
  std::array<Number, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) {
      if (!text.starts_with(',')) return std::nullopt;
      text.remove_prefix(1);
    }
    const auto number = take_number<Number>(text);
    if (!number || !(*number >= low && *number <= high)) return std::nullopt;
    numbers[i] = *number;
  }
  return numbers;
}

std::optional<Vec3> take_densities(std::string_view& text) {
  return take_three<double>(text, -kMostDensity, kMostDensity);
}

void check_differ(const Stain& stain, std::string_view id) {
  const double lengths = norm(stain.densities) * norm(stain.other);
  if (lengths == 0.0)
    throw InputError("a stain of channel '" + std::string(id) + "' has no optical density");
  if (norm(cross(stain.densities, stain.other)) < kLeastSine * lengths) {
    throw InputError("the two stains of channel '" + std::string(id) +
                     "' are hardly different: amounts of them cannot be told apart");
  }
}

/// Reads "stain:0.65,0.7,0.29:0.22,0.8,0.56" or "stain:0.65,0.7,0.29:0.22,0.8,0.56:243,240,245".
Stain own_stain(std::string_view id) {
  std::string_view text = id.substr(kOwnStain.size());
  const auto densities = take_densities(text);
  if (!densities || !text.starts_with(':')) refuse_own_stain(id);
  text.remove_prefix(1);
  const auto other = take_densities(text);
  if (!other || !(text.empty() || text.starts_with(':'))) refuse_own_stain(id);
  const std::optional<Rgb> background =
      text.empty() ? kWhiteBackground : parse_background(text.substr(1));
  if (!background) refuse_own_stain(id);
  const Stain stain{*densities, *other, *background};
  check_differ(stain, id);
  return stain;
}

/// Returns the stain whose amount a channel is; nothing for channels of intensities.
std::optional<Stain> stain_named(std::string_view id) {
  if (id.starts_with(kOwnStain)) return own_stain(id);
  const auto* found = std::ranges::find(kStains, id, &NamedStain::id);
  return found == kStains.end() ? std::nullopt : std::optional(found->stain);
}

std::string densities_text(const Vec3& densities, const char* between) {
  constexpr double kThousandths = 1000.0;
  std::string text;
  for (const double density : densities)
    text += (text.empty() ? "" : between) +
            number_text(std::round(density * kThousandths) / kThousandths);
  return text;
}

/// Returns what each value of each component adds: its optical density, times the row's entry.
std::array<std::array<double, 256>, 3> parts_of(const Stain& stain) {
  const auto densities = optical_densities(stain.background);
  const Vec3 row = unmixing_row(stain.densities, stain.other);
  std::array<std::array<double, 256>, 3> parts{};
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t v = 0; v < parts[c].size(); ++v)
      parts[c][v] = row[static_cast<int>(c)] * densities[c][v];
  }
  return parts;
}

Volume amount_of(const Geometry& geometry, std::span<const std::uint8_t> rgb, const Stain& stain) {
  const auto parts = parts_of(stain);
  auto amount = large_vector<float>(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::size_t i = 0; i < amount.size(); ++i) {
    amount[i] = static_cast<float>(parts[0][rgb[3 * i]] + parts[1][rgb[3 * i + 1]] +
                                   parts[2][rgb[3 * i + 2]]);
  }
  return {geometry, std::move(amount)};
}

[[noreturn]] void refuse_channel(std::string_view id) {
  std::string known;
  for (const Channel& channel : channels())
    known += (known.empty() ? "" : ", ") + channel.id;
  throw InputError("there is no channel '" + std::string(id) + "': choose one of " + known +
                   ", or stains of your own (stain:R,G,B:R,G,B)");
}

}  // namespace

const std::vector<Channel>& channels() {
  static const std::vector<Channel> list{{"gray", "Grey"},
                                         {"red", "Red"},
                                         {"green", "Green"},
                                         {"blue", "Blue"},
                                         {"hematoxylin", "Haematoxylin"},
                                         {"eosin", "Eosin"},
                                         {"dab", "DAB"}};
  return list;
}

std::string stain_channel(const Vec3& wanted, const Vec3& other, const Rgb& background) {
  std::string id =
      std::string(kOwnStain) + densities_text(wanted, ",") + ":" + densities_text(other, ",");
  if (background != kWhiteBackground) {
    for (std::size_t c = 0; c < background.size(); ++c)
      id += (c == 0 ? ":" : ",") + std::to_string(background[c]);
  }
  static_cast<void>(own_stain(id));
  return id;
}

std::optional<Rgb> parse_background(std::string_view text) {
  const auto background = take_three<std::uint8_t>(text, 1, 255);
  return text.empty() ? background : std::nullopt;
}

Channel channel_named(std::string_view id) {
  const auto found = std::ranges::find(channels(), id, &Channel::id);
  if (found != channels().end()) return *found;
  if (!id.starts_with(kOwnStain)) refuse_channel(id);
  return {std::string(id), "Stain " + densities_text(own_stain(id).densities, " ")};
}

std::optional<Channel> find_channel(std::string_view id) {
  try {
    return channel_named(id);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

Volume channel_of(const Volume& rgb, std::string_view id) {
  if (rgb.empty() || rgb.components() != 3 || rgb.type() != VoxelType::U8) {
    throw InputError("a channel can only be taken from a colour image (RGB, 8 bit)");
  }
  const auto voxels = rgb.voxels<std::uint8_t>();
  const Geometry& geometry = rgb.geometry();
  if (id == "gray") return grey_of(geometry, voxels);
  if (id == "red") return component_of(geometry, voxels, 0);
  if (id == "green") return component_of(geometry, voxels, 1);
  if (id == "blue") return component_of(geometry, voxels, 2);
  if (const auto stain = stain_named(id)) return amount_of(geometry, voxels, *stain);
  refuse_channel(id);
}

VoxelType type_of_channel(std::string_view id) {
  static_cast<void>(channel_named(id));
  return stain_named(id) ? VoxelType::F32 : VoxelType::U8;
}

ChannelSum sum_of_channel(std::string_view id) {
  if (const auto stain = stain_named(id))
    return {.parts = parts_of(*stain),
            .stain = unit_of(stain->densities),
            .background = stain->background};
  ChannelSum sum;
  const auto add = [&sum](std::size_t component, double factor) {
    for (std::size_t v = 0; v < 256; ++v)
      sum.parts[component][v] = factor * static_cast<double>(v);
  };
  if (id == "gray") {
    add(0, 0.299);
    add(1, 0.587);
    add(2, 0.114);
  } else if (id == "red") {
    add(0, 1.0);
  } else if (id == "green") {
    add(1, 1.0);
  } else if (id == "blue") {
    add(2, 1.0);
  } else {
    refuse_channel(id);
  }
  return sum;
}

}  // namespace seedwave
