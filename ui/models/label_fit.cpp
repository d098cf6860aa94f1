// SPDX-License-Identifier: Apache-2.0
#include "ui/models/label_fit.h"

#include "core/image/label_map.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace seedwave::ui {

SeedSet strokes_from(const LabelMap& labels) {
  const Geometry& grid = labels.geometry();
  // Below half a voxel, so that a stroke covers its own voxels and no neighbour.
  const double radius = 0.25 * std::min({grid.spacing[0], grid.spacing[1], grid.spacing[2]});
  SeedSet seeds;
  const auto voxels = labels.labels();
  for (std::int64_t z = 0; z < grid.size[2]; ++z) {
    for (std::int64_t y = 0; y < grid.size[1]; ++y) {
      const auto row = static_cast<std::size_t>(grid.offset({0, y, z}));
      for (std::int64_t x = 0; x < grid.size[0];) {
        const Label label = voxels[row + static_cast<std::size_t>(x)];
        std::int64_t end = x + 1;
        while (end < grid.size[0] && voxels[row + static_cast<std::size_t>(end)] == label)
          ++end;
        if (label != 0 && label <= kLargestLabel) {
          Stroke stroke{.label = label, .radius_mm = radius, .points = {}, .plane = {}};
          stroke.points.push_back(grid.to_world(Index3{x, y, z}));
          if (end - x > 1) stroke.points.push_back(grid.to_world(Index3{end - 1, y, z}));
          seeds.strokes.push_back(std::move(stroke));
        }
        x = end;
      }
    }
  }
  return seeds;
}

}  // namespace seedwave::ui
