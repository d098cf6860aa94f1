// SPDX-License-Identifier: Apache-2.0
#include "core/image/seed_set.h"

#include "core/base/large_memory.h"
#include "core/image/label_map.h"
#include "core/image/vec3.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>

namespace seedwave {
namespace {

/// Returns whether `p` is inside the capsule a-b, cut to the slab around the segment if the stroke
/// has one.
bool inside_capsule(const Vec3& p, const Vec3& a, const Vec3& b, const Stroke& stroke) {
  const Vec3 along = minus(b, a);
  const double length2 = dot(along, along);
  const double t = length2 > 0 ? std::clamp(dot(minus(p, a), along) / length2, 0.0, 1.0) : 0.0;
  const Vec3 away = minus(p, plus(a, scaled(along, t)));
  if (stroke.plane && std::abs(dot(away, stroke.plane->normal)) > stroke.plane->thickness_mm / 2) {
    return false;
  }
  return dot(away, away) <= stroke.radius_mm * stroke.radius_mm;
}

/// Returns the voxels that may be inside the capsule a-b.
Box box_of_capsule(const Vec3& a, const Vec3& b, double radius, const Geometry& geometry) {
  const Vec3 ia = geometry.to_index(a);
  const Vec3 ib = geometry.to_index(b);
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const double reach = radius / geometry.spacing[axis];
    const auto last = static_cast<double>(geometry.size[axis]);
    // Clamped before the conversion, since a point far outside could overflow.
    box.lo[axis] = static_cast<std::int64_t>(
        std::ceil(std::clamp(std::min(ia[axis], ib[axis]) - reach, 0.0, last)));
    box.hi[axis] = static_cast<std::int64_t>(
        std::floor(std::clamp(std::max(ia[axis], ib[axis]) + reach, -1.0, last - 1)) + 1);
  }
  return box;
}

/// Returns boxes that cover the capsule a-b. A long thin capsule is cut into pieces, so that the
/// work is proportional to its volume and not to that of its bounding box.
std::vector<Box> boxes_of_capsule(const Vec3& a, const Vec3& b, double radius,
                                  const Geometry& geometry) {
  constexpr double kMostPieces = 1000;
  const Vec3 along = minus(b, a);
  const double length = norm(along);
  const double finest = *std::min_element(geometry.spacing.begin(), geometry.spacing.end());
  const double piece = std::max(2 * radius, 4 * finest);
  const auto count = static_cast<int>(std::clamp(std::ceil(length / piece), 1.0, kMostPieces));
  const auto at = [&](int i) {
    const double t = static_cast<double>(i) / count;
    return plus(a, scaled(along, t));
  };
  std::vector<Box> boxes;
  for (int i = 0; i < count; ++i) {
    // A little wider than the radius, since the ends of the pieces are rounded.
    const Box box = box_of_capsule(at(i), at(i + 1), radius + 1e-6 * piece, geometry);
    if (!box.empty()) boxes.push_back(box);
  }
  return boxes;
}

void sort_once(std::vector<std::int64_t>& offsets) {
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
}

/// Calls visit(a, b) for each segment of a stroke; a single point is a segment of length 0.
template <typename Visitor>
void for_each_segment(const Stroke& stroke, Visitor&& visit) {
  for (std::size_t i = 0; i < stroke.points.size(); ++i)
    visit(stroke.points[i], stroke.points[std::min(i + 1, stroke.points.size() - 1)]);
}

/// Calls visit(index, a, b) for each voxel that the segment a-b of a stroke may cover.
template <typename Visitor>
void for_each_voxel_near(const Vec3& a, const Vec3& b, const Stroke& stroke,
                         const Geometry& geometry, Visitor&& visit) {
  for (const Box& box : boxes_of_capsule(a, b, stroke.radius_mm, geometry)) {
    for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
      for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
        for (std::int64_t x = box.lo[0]; x < box.hi[0]; ++x)
          visit(Index3{x, y, z});
      }
    }
  }
}

/// A grid on which strokes are painted from the last to the first: a painted voxel stays as it is,
/// and a second look at it costs one bit.
class Sheet {
 public:
  explicit Sheet(const Geometry& geometry)
      : geometry_(geometry),
        painted_(sparse_zeros<std::uint64_t>(
            static_cast<std::size_t>(geometry.voxel_count() / kBits + 1))) {}

  /// Paints the voxels that no later stroke covers. Returns false if there are none.
  bool paint(const Stroke& stroke) {
    const std::size_t before = seeds_.size();
    for_each_segment(stroke, [&](const Vec3& a, const Vec3& b) {
      for_each_voxel_near(a, b, stroke, geometry_, [&](const Index3& index) {
        const std::int64_t offset = geometry_.offset(index);
        if (is_painted(offset)) return;
        if (inside_capsule(geometry_.to_world(index), a, b, stroke)) put(offset, stroke.label);
      });
      const Index3 under = geometry_.nearest_index(a);
      if (!geometry_.contains(under)) return;
      const std::int64_t offset = geometry_.offset(under);
      if (!is_painted(offset)) put(offset, stroke.label);
    });
    return seeds_.size() > before;
  }

  /// Returns the seeds sorted by offset, without erased ones.
  [[nodiscard]] std::vector<Seed> take_seeds() {
    std::erase_if(seeds_, [](const Seed& seed) { return seed.label == 0; });
    std::sort(seeds_.begin(), seeds_.end(),
              [](const Seed& a, const Seed& b) { return a.offset < b.offset; });
    return std::move(seeds_);
  }

 private:
  static constexpr std::int64_t kBits = 64;

  [[nodiscard]] bool is_painted(std::int64_t offset) const {
    return (painted_[static_cast<std::size_t>(offset / kBits)] >> (offset % kBits) & 1U) != 0;
  }
  void put(std::int64_t offset, Label label) {
    painted_[static_cast<std::size_t>(offset / kBits)] |= std::uint64_t{1} << (offset % kBits);
    seeds_.push_back({offset, label});
  }

  const Geometry& geometry_;
  /// One bit per voxel. Pages that no stroke touches take no memory.
  SparseZeros<std::uint64_t> painted_;
  std::vector<Seed> seeds_;
};

/// Returns the labels of strokes that all lie outside the grid. `drew`: labels known to have drawn
/// a voxel. A label whose voxels were all painted over later has drawn as well.
std::vector<Label> labels_outside(const std::vector<Stroke>& strokes, const Geometry& geometry,
                                  std::set<Label> drew) {
  std::set<Label> outside;
  for (const Stroke& stroke : strokes) {
    if (stroke.label == 0 || stroke.points.empty() || drew.contains(stroke.label)) continue;
    if (seedwave::rasterise(stroke, geometry).empty()) {
      outside.insert(stroke.label);
    } else {
      drew.insert(stroke.label);
      outside.erase(stroke.label);
    }
  }
  return {outside.begin(), outside.end()};
}

}  // namespace

std::vector<std::int64_t> rasterise(const Stroke& stroke, const Geometry& geometry) {
  std::vector<std::int64_t> offsets;
  // Successive capsules overlap: duplicates are removed before they fill the memory.
  std::size_t sort_at = std::size_t{1} << 20;
  for_each_segment(stroke, [&](const Vec3& a, const Vec3& b) {
    for_each_voxel_near(a, b, stroke, geometry, [&](const Index3& index) {
      if (inside_capsule(geometry.to_world(index), a, b, stroke)) {
        offsets.push_back(geometry.offset(index));
      }
    });
    if (offsets.size() > sort_at) {
      sort_once(offsets);
      sort_at = 2 * offsets.size() + (std::size_t{1} << 20);
    }
    const Index3 under = geometry.nearest_index(a);
    if (geometry.contains(under)) offsets.push_back(geometry.offset(under));
  });
  sort_once(offsets);
  return offsets;
}

double rasterise_cost(const Stroke& stroke, const Geometry& geometry) {
  double cost = 0.0;
  for_each_segment(stroke, [&](const Vec3& a, const Vec3& b) {
    for (const Box& box : boxes_of_capsule(a, b, stroke.radius_mm, geometry)) {
      cost += static_cast<double>(box.hi[0] - box.lo[0]) *
              static_cast<double>(box.hi[1] - box.lo[1]) *
              static_cast<double>(box.hi[2] - box.lo[2]);
    }
    cost += 1.0;
  });
  return cost;
}

SeedVoxels SeedSet::rasterise(const Geometry& geometry) const {
  SeedVoxels result;
  Sheet sheet(geometry);
  std::set<Label> drew;
  for (std::size_t i = strokes.size(); i > 0; --i) {
    const Stroke& stroke = strokes[i - 1];
    for (const Vec3& point : stroke.points) {
      if (!geometry.contains(geometry.nearest_index(point))) ++result.outside;
    }
    if (sheet.paint(stroke)) drew.insert(stroke.label);
  }
  result.labels_outside = labels_outside(strokes, geometry, std::move(drew));
  result.seeds = sheet.take_seeds();
  return result;
}

SeedVoxels seeds_from(const LabelMap& map) {
  SeedVoxels result;
  visit_labels(map.labels(), [&](auto labels) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] != 0) result.seeds.push_back({static_cast<std::int64_t>(i), labels[i]});
    }
  });
  return result;
}

}  // namespace seedwave
