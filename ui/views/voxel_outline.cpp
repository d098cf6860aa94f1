// SPDX-License-Identifier: Apache-2.0
#include "ui/views/voxel_outline.h"

#include <cmath>
#include <unordered_set>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr std::tuple<std::int64_t, std::int64_t, std::int64_t> kNoSlice{0, 0, 0};

}  // namespace

void VoxelOutline::set_voxels(std::vector<std::int64_t> offsets) {
  offsets_ = std::move(offsets);
  slice_ = kNoSlice;
}

const std::vector<QLineF>& VoxelOutline::lines(const PlaneAxes& axes, std::int64_t slice) {
  const std::tuple now{axes.start(slice), axes.right_stride(), axes.down_stride()};
  if (now == slice_) return lines_;
  slice_ = now;
  lines_.clear();
  const Geometry& grid = axes.geometry();
  // Voxels of the slice by v * width + u.
  std::unordered_set<std::int64_t> inside;
  for (const std::int64_t offset : offsets_) {
    const Index3 index = grid.index_of(offset);
    if (index[static_cast<std::size_t>(axes.slice_axis())] != slice) continue;
    const Vec3 place = axes.slice_coordinates(grid.to_world(index));
    inside.insert(std::llround(place[1]) * axes.width() + std::llround(place[0]));
  }
  for (const std::int64_t at : inside) {
    const std::int64_t u = at % axes.width();
    const std::int64_t v = at / axes.width();
    const double left = static_cast<double>(u) - 0.5;
    const double top = static_cast<double>(v) - 0.5;
    if (u == 0 || !inside.contains(at - 1)) lines_.emplace_back(left, top, left, top + 1);
    if (u + 1 == axes.width() || !inside.contains(at + 1)) {
      lines_.emplace_back(left + 1, top, left + 1, top + 1);
    }
    if (!inside.contains(at - axes.width())) lines_.emplace_back(left, top, left + 1, top);
    if (!inside.contains(at + axes.width())) lines_.emplace_back(left, top + 1, left + 1, top + 1);
  }
  return lines_;
}

}  // namespace seedwave::ui
