// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/mesh/contour.h"
#include "core/mesh/label_surface.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr std::uint32_t kNoPoint = ~std::uint32_t{0};

/// Adds faces, one layer of voxels after the other. The numbers of the points at the corners are
/// kept for the two planes of a layer.
class FaceMaker {
 public:
  FaceMaker(const LabelMap& map, Label label, const Box& box)
      : map_(map), label_(label), box_(box), nx_(box.hi[0] - box.lo[0] + 1) {
    const auto corners = static_cast<std::size_t>(nx_ * (box.hi[1] - box.lo[1] + 1));
    below_.assign(corners, kNoPoint);
    above_.assign(corners, kNoPoint);
  }

  Surface make(const std::stop_token& stop) {
    for (std::int64_t z = box_.lo[2]; z < box_.hi[2]; ++z) {
      if (stop.stop_requested()) throw Cancelled();
      for (std::int64_t y = box_.lo[1]; y < box_.hi[1]; ++y) {
        for (std::int64_t x = box_.lo[0]; x < box_.hi[0]; ++x) {
          if (map_.at({x, y, z}) == label_) add_faces({x, y, z});
        }
      }
      std::swap(below_, above_);
      std::fill(above_.begin(), above_.end(), kNoPoint);
    }
    return std::move(surface_);
  }

 private:
  [[nodiscard]] bool is_label(const Index3& voxel) const {
    return map_.geometry().contains(voxel) && map_.at(voxel) == label_;
  }

  void add_faces(const Index3& voxel) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const std::int64_t side : {0, 1}) {
        Index3 neighbour = voxel;
        neighbour[axis] += side == 1 ? 1 : -1;
        if (!is_label(neighbour)) add_face(voxel, axis, side);
      }
    }
  }

  void add_face(const Index3& voxel, std::size_t axis, std::int64_t side) {
    const std::size_t u = (axis + 1) % 3;
    const std::size_t v = (axis + 2) % 3;
    Index3 corner{};
    corner[axis] = side;
    std::array<std::uint32_t, 4> points{};
    // Counter-clockwise, seen along the axis from its far end.
    constexpr std::array<std::array<std::int64_t, 2>, 4> kSteps{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    for (std::size_t i = 0; i < 4; ++i) {
      corner[u] = kSteps[i][0];
      corner[v] = kSteps[i][1];
      points[i] = point_at(voxel, corner);
    }
    if (side == 0) std::swap(points[1], points[3]);
    surface_.triangles.push_back({points[0], points[1], points[2]});
    surface_.triangles.push_back({points[0], points[2], points[3]});
  }

  std::uint32_t point_at(const Index3& voxel, const Index3& corner) {
    const std::int64_t x = voxel[0] - box_.lo[0] + corner[0];
    const std::int64_t y = voxel[1] - box_.lo[1] + corner[1];
    auto& plane = corner[2] == 0 ? below_ : above_;
    std::uint32_t& point = plane[static_cast<std::size_t>(x + nx_ * y)];
    if (point == kNoPoint) {
      Vec3 at{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        at[axis] = static_cast<double>(voxel[axis] + corner[axis]) - 0.5;
      point = next_point(surface_.points.size());
      const Vec3 world = map_.geometry().to_world(at);
      surface_.points.push_back({static_cast<float>(world[0]), static_cast<float>(world[1]),
                                 static_cast<float>(world[2])});
    }
    return point;
  }

  const LabelMap& map_;
  Label label_;
  Box box_;
  std::int64_t nx_;
  std::vector<std::uint32_t> below_;
  std::vector<std::uint32_t> above_;
  Surface surface_;
};

}  // namespace

Surface voxel_faces(const LabelMap& map, Label label, const Box& box, const std::stop_token& stop) {
  Surface surface = FaceMaker(map, label, box).make(stop);
  orient(surface, map.geometry());
  return surface;
}

}  // namespace seedwave
