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

Volume stain_of(const Geometry& geometry, std::span<const std::uint8_t> rgb, const Vec3& row) {
  const std::array<double, 256> density = optical_densities();
  std::vector<float> amount(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::size_t i = 0; i < amount.size(); ++i) {
    const Vec3 od{density[rgb[3 * i]], density[rgb[3 * i + 1]], density[rgb[3 * i + 2]]};
    amount[i] = static_cast<float>(dot(row, od));
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
  if (id == "hematoxylin") return stain_of(geometry, voxels, unmixing_row(kHematoxylin, kEosin));
  if (id == "eosin") return stain_of(geometry, voxels, unmixing_row(kEosin, kHematoxylin));
  if (id == "dab") return stain_of(geometry, voxels, unmixing_row(kDab, kHematoxylin));
  refuse_channel(id);
}

VoxelType type_of_channel(std::string_view id) {
  const auto found = std::ranges::find(channels(), id, &Channel::id);
  if (found == channels().end()) refuse_channel(id);
  return id == "gray" || id == "red" || id == "green" || id == "blue" ? VoxelType::U8
                                                                      : VoxelType::F32;
}

}  // namespace seedwave
