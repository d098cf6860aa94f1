// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_segmentation.h"

#include "tests/support/random_numbers.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <utility>
#include <vector>

namespace seedwave::test {
namespace {

template <typename T>
Volume image_of(const Geometry& geometry, const std::vector<int>& levels, double first,
                double step) {
  std::vector<T> voxels;
  for (const int level : levels)
    voxels.push_back(static_cast<T>(first + level * step));
  return Volume(geometry, std::move(voxels));
}

/// Returns noise of `count` levels, or patches of it, in which a cell mostly takes the level of the
/// previous one along x or y.
std::vector<int> random_levels(const RandomSpec& spec, std::int64_t cells, int count,
                               RandomNumbers& random) {
  std::vector<int> levels;
  levels.reserve(static_cast<std::size_t>(cells));
  const std::int64_t nx = spec.size[0];
  for (std::int64_t i = 0; i < cells; ++i) {
    auto level = static_cast<int>(random.below(count));
    if (spec.texture == Texture::Patches && i >= nx && random.below(5) != 0) {
      level = levels[static_cast<std::size_t>(random.below(2) == 0 ? i - 1 : i - nx)];
    }
    levels.push_back(level);
  }
  return levels;
}

}  // namespace

RandomSegmentation random_segmentation(const RandomSpec& spec, std::uint64_t number) {
  RandomNumbers random(number);
  Geometry geometry;
  geometry.size = spec.size;
  const std::int64_t cells = geometry.voxel_count();
  assert(cells >= spec.labels);

  RandomSegmentation result;
  // Few levels make ties; in one case in ten, a single level makes a constant image.
  const auto level_count = static_cast<int>(random.below(10) == 0 ? 1 : 2 + random.below(5));
  const std::vector<int> levels = random_levels(spec, cells, level_count, random);
  const double step = std::array{1.0, 7.0, 20.0}[random.below(3)];
  double first = 0.0;
  switch (spec.type) {
    case VoxelType::U8:
      result.image = image_of<std::uint8_t>(geometry, levels, first, step);
      break;
    case VoxelType::I16:
      first = -40.0;
      result.image = image_of<std::int16_t>(geometry, levels, first, step);
      break;
    case VoxelType::U16:
      first = 65000.0;
      result.image = image_of<std::uint16_t>(geometry, levels, first, step);
      break;
    case VoxelType::I32:
      first = -90000.0;
      result.image = image_of<std::int32_t>(geometry, levels, first, step);
      break;
    default:
      first = -0.25;
      result.image = image_of<float>(geometry, levels, first, step);
      break;
  }
  result.m = first + static_cast<double>(random.below(level_count)) * step;
  result.sigma_o = step * std::array{0.3, 1.0, 4.0, 1000.0}[random.below(4)];
  result.sigma_h = step * std::array{0.25, 1.0, 3.0, 1000.0}[random.below(4)];

  // Distinct cells: the first `labels` of them, one for each label; then a few more.
  std::vector<std::int64_t> places(cells);
  for (std::int64_t i = 0; i < cells; ++i)
    places[i] = i;
  for (std::int64_t i = cells - 1; i > 0; --i)
    std::swap(places[i], places[random.below(i + 1)]);
  const auto most = std::min<std::int64_t>(cells, spec.labels + random.below(4));
  std::map<std::int64_t, std::uint16_t> painted;
  for (std::int64_t i = 0; i < most; ++i) {
    const auto label = i < spec.labels ? i + 1 : 1 + random.below(spec.labels);
    painted[places[i]] = static_cast<std::uint16_t>(label);
  }
  for (const auto& [offset, label] : painted)
    result.seeds.seeds.push_back({offset, label});

  if (spec.mask == WithMask::Yes) {
    std::vector<std::uint16_t> mask;
    for (std::int64_t i = 0; i < cells; ++i) {
      mask.push_back(static_cast<std::uint16_t>(random.below(4) == 0 ? 0 : 1 + random.below(2)));
    }
    for (int i = 0; i < spec.labels; ++i)
      mask[places[i]] = 1;
    result.mask = LabelMap(geometry, std::move(mask));
  }
  return result;
}

}  // namespace seedwave::test
