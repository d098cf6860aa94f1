// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave::test {

/// Returns a grid of 1 mm voxels around the origin.
inline Geometry phantom_grid(std::int64_t side) {
  Geometry geometry;
  geometry.size = {side, side, side};
  const double origin = -static_cast<double>(side - 1) / 2.0;
  geometry.origin = {origin, origin, origin};
  return geometry;
}

/// Returns true inside the phantom's ball, which is half as wide as the grid.
inline bool in_ball(const Geometry& geometry, const Index3& index) {
  const Vec3 p = geometry.to_world(index);
  const double radius = static_cast<double>(geometry.size[0]) / 4.0;
  return p[0] * p[0] + p[1] * p[1] + p[2] * p[2] <= radius * radius;
}

/// Returns a bright ball (1000) in dark surroundings (200), with a faint texture from which auto
/// values can be measured.
inline Volume ball_phantom(std::int64_t side) {
  const Geometry geometry = phantom_grid(side);
  std::vector<std::int16_t> voxels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const auto texture = static_cast<std::int16_t>(i * 7919 % 41 - 20);
    const bool inside = in_ball(geometry, geometry.index_of(i));
    voxels[static_cast<std::size_t>(i)] =
        static_cast<std::int16_t>((inside ? 1000 : 200) + texture);
  }
  return {geometry, std::move(voxels)};
}

/// Returns the ball as label 1.
inline LabelMap ball_labels(std::int64_t side) {
  const Geometry geometry = phantom_grid(side);
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(geometry.voxel_count()));
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    labels[static_cast<std::size_t>(i)] = in_ball(geometry, geometry.index_of(i)) ? 1 : 0;
  }
  return {geometry, std::move(labels)};
}

/// Returns two touching violet discs on a pink ground: a colour image without a pixel size.
inline Volume stained_picture() {
  Geometry grid;
  grid.size = {60, 40, 1};
  grid.unit = LengthUnit::Pixel;
  std::vector<std::uint8_t> rgb;
  for (std::int64_t y = 0; y < grid.size[1]; ++y) {
    for (std::int64_t x = 0; x < grid.size[0]; ++x) {
      const auto within = [&](std::int64_t cx) {
        return (x - cx) * (x - cx) + (y - 20) * (y - 20) <= 81;
      };
      const bool nucleus = within(22) || within(38);
      for (const int value : nucleus ? std::array{90, 60, 150} : std::array{240, 200, 225})
        rgb.push_back(static_cast<std::uint8_t>(value));
    }
  }
  return {grid, std::move(rgb), 3};
}

}  // namespace seedwave::test
