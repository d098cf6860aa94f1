// SPDX-License-Identifier: Apache-2.0
#include "core/image/channel.h"

#include "core/base/error.h"
#include "core/image/stains.h"
#include "core/image/vec3.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seedwave {

namespace {

Volume grey_of(const Geometry& geometry, std::span<const std::uint8_t> rgb) {
  std::vector<std::uint8_t> grey(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::size_t i = 0; i < grey.size(); ++i) {
    // In thousandths and integers, so that the result is the same on every machine.
    const int sum = 299 * rgb[3 * i] + 587 * rgb[3 * i + 1] + 114 * rgb[3 * i + 2];
    grey[i] = static_cast<std::uint8_t>((sum + 500) / 1000);
  }
  return {geometry, std::move(grey)};
}

Volume component_of(const Geometry& geometry, std::span<const std::uint8_t> rgb, std::size_t c) {
  std::vector<std::uint8_t> plane(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::size_t i = 0; i < plane.size(); ++i)
    plane[i] = rgb[3 * i + c];
  return {geometry, std::move(plane)};
}

struct Stain {
  std::string_view id;
  Vec3 densities;
  /// The other stain that is expected beside it.
  Vec3 other;
};

constexpr std::array<Stain, 3> kStains{{{"hematoxylin", kHematoxylin, kEosin},
                                        {"eosin", kEosin, kHematoxylin},
                                        {"dab", kDab, kHematoxylin}}};

const Stain* stain_named(std::string_view id) {
  const auto* found = std::ranges::find(kStains, id, &Stain::id);
  return found == kStains.end() ? nullptr : found;
}

/// Returns what each value of each component adds: its optical density, times the row's entry.
std::array<std::array<double, 256>, 3> parts_of(const Stain& stain) {
  const std::array<double, 256> density = optical_densities();
  const Vec3 row = unmixing_row(stain.densities, stain.other);
  std::array<std::array<double, 256>, 3> parts{};
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t v = 0; v < density.size(); ++v)
      parts[c][v] = row[static_cast<int>(c)] * density[v];
  }
  return parts;
}

Volume amount_of(const Geometry& geometry, std::span<const std::uint8_t> rgb, const Stain& stain) {
  const auto parts = parts_of(stain);
  std::vector<float> amount(static_cast<std::size_t>(geometry.voxel_count()));
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
  throw InputError("there is no channel '" + std::string(id) + "': choose one of " + known);
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

const Channel* find_channel(std::string_view id) {
  const auto found = std::ranges::find(channels(), id, &Channel::id);
  return found == channels().end() ? nullptr : &*found;
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
  if (const Stain* stain = stain_named(id)) return amount_of(geometry, voxels, *stain);
  refuse_channel(id);
}

VoxelType type_of_channel(std::string_view id) {
  if (find_channel(id) == nullptr) refuse_channel(id);
  return stain_named(id) == nullptr ? VoxelType::U8 : VoxelType::F32;
}

ChannelSum sum_of_channel(std::string_view id) {
  if (const Stain* stain = stain_named(id))
    return {.parts = parts_of(*stain), .stain = unit_of(stain->densities)};
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
