// SPDX-License-Identifier: Apache-2.0
#include "core/ops/operation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr Geometry kGrid{.size = {48, 40, 1}, .unit = LengthUnit::Pixel};

struct Disc {
  std::int64_t x;
  std::int64_t y;
  std::int64_t radius;
};
// The first two touch.
constexpr std::array<Disc, 3> kDiscs{{{14, 14, 9}, {28, 18, 8}, {34, 32, 5}}};

/// Returns the number of the disc that holds the pixel, from 1; 0 on the ground.
int disc_at(std::int64_t x, std::int64_t y) {
  for (std::size_t i = 0; i < kDiscs.size(); ++i) {
    const Disc& disc = kDiscs[i];
    if ((x - disc.x) * (x - disc.x) + (y - disc.y) * (y - disc.y) <= disc.radius * disc.radius)
      return static_cast<int>(i) + 1;
  }
  return 0;
}

/// Returns the pixels value(x, y).
template <typename T, typename ValueOf>
std::vector<T> drawn(ValueOf&& value) {
  std::vector<T> pixels;
  for (std::int64_t y = 0; y < kGrid.size[1]; ++y) {
    for (std::int64_t x = 0; x < kGrid.size[0]; ++x)
      pixels.push_back(static_cast<T>(value(x, y)));
  }
  return pixels;
}

/// Returns an intensity: bright discs on a ground with stripes and grain.
std::int64_t grey_at(std::int64_t x, std::int64_t y) {
  const std::int64_t grain = (x * 7 + y * 13 + x * y) % 17;
  return grain + (disc_at(x, y) > 0 ? 150 : 40 + 4 * (x / 6 % 3));
}

Volume image_for(const InputSpec& input) {
  if (input.components == 3) {
    std::vector<std::uint8_t> pixels;
    for (std::int64_t i = 0; i < kGrid.voxel_count(); ++i) {
      const Index3 at = kGrid.index_of(i);
      for (const std::int64_t share : {4, 3, 2})
        pixels.push_back(static_cast<std::uint8_t>(grey_at(at[0], at[1]) * share / 4));
    }
    return {kGrid, std::move(pixels), 3};
  }
  if (input.holds.empty()) return {kGrid, drawn<std::uint8_t>(grey_at)};
  return {kGrid, drawn<std::uint8_t>(disc_at)};
}

/// Returns the discs' numbers, two pixels too far to the right.
LabelMap shifted_discs() {
  return {kGrid,
          drawn<std::uint8_t>([](std::int64_t x, std::int64_t y) { return disc_at(x - 2, y); })};
}

SeedVoxels two_strokes() {
  SeedVoxels strokes;
  for (std::int64_t x = 10; x < 18; ++x)
    strokes.seeds.push_back({.offset = kGrid.offset({x, kDiscs[0].y, 0}), .label = 1});
  for (std::int64_t x = 2; x < 10; ++x)
    strokes.seeds.push_back({.offset = kGrid.offset({x, 36, 0}), .label = 2});
  return strokes;
}

}  // namespace

Inputs example_inputs(const Operation& operation) {
  Inputs inputs;
  if (const InputSpec* image = operation.find_input(InputKind::Image))
    inputs.image = image_for(*image);
  if (operation.wants(InputKind::Labels) && !operation.labels_replace_image())
    inputs.labels = shifted_discs();
  if (operation.wants(InputKind::Seeds)) inputs.seeds = two_strokes();
  return inputs;
}

}  // namespace seedwave
