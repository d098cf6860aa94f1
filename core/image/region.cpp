// SPDX-License-Identifier: Apache-2.0
#include "core/image/region.h"

#include "core/image/label_rings.h"
#include "core/image/polygon_spans.h"

#include <algorithm>
#include <cmath>

namespace seedwave {
namespace {

/// Returns twice the signed area.
double cross_sum(const RegionRing& ring) {
  double sum = 0.0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const RegionPoint& a = ring[i];
    const RegionPoint& b = ring[(i + 1) % ring.size()];
    sum += a[0] * b[1] - b[0] * a[1];
  }
  return sum;
}

RegionRing in_world(const Ring& ring, const Geometry& grid) {
  RegionRing world;
  world.reserve(ring.size());
  for (const auto& corner : ring) {
    const Vec3 at = grid.to_world(
        Vec3{static_cast<double>(corner[0]) - 0.5, static_cast<double>(corner[1]) - 0.5, 0.0});
    world.push_back({at[0], at[1]});
  }
  return world;
}

}  // namespace

RegionBounds bounds_of(const Region& region) {
  RegionBounds bounds;
  bool is_first = true;
  for (const RegionPolygon& polygon : region.polygons) {
    for (const RegionRing& ring : polygon) {
      for (const RegionPoint& point : ring) {
        for (std::size_t axis = 0; axis < 2; ++axis) {
          bounds.low[axis] = is_first ? point[axis] : std::min(bounds.low[axis], point[axis]);
          bounds.high[axis] = is_first ? point[axis] : std::max(bounds.high[axis], point[axis]);
        }
        is_first = false;
      }
    }
  }
  return bounds;
}

double area_of(const Region& region) {
  double area = 0.0;
  for (const RegionPolygon& polygon : region.polygons) {
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const double ring = std::abs(cross_sum(polygon[i])) / 2.0;
      area += i == 0 ? ring : -ring;
    }
  }
  return area;
}

std::shared_ptr<const Region> relabelled(const Region& region, Label label) {
  Region other = region;
  other.label = label;
  return std::make_shared<const Region>(std::move(other));
}

bool is_inside(const Region& region, const RegionPoint& point) {
  bool inside = false;
  for (const RegionPolygon& polygon : region.polygons) {
    for (const RegionRing& ring : polygon) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const RegionPoint& a = ring[i];
        const RegionPoint& b = ring[(i + 1) % ring.size()];
        if ((a[1] > point[1]) == (b[1] > point[1])) continue;
        const double x = a[0] + (point[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        if (point[0] < x) inside = !inside;
      }
    }
  }
  return inside;
}

std::optional<std::size_t> region_at(const Regions& regions, const RegionPoint& point) {
  std::optional<std::size_t> found;
  double smallest = 0.0;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (!is_inside(*regions[i], point)) continue;
    const double area = area_of(*regions[i]);
    if (found && area >= smallest) continue;
    found = i;
    smallest = area;
  }
  return found;
}

bool same_regions(const Regions& a, const Regions& b) {
  return std::ranges::equal(
      a, b, [](const auto& one, const auto& other) { return one == other || *one == *other; });
}

Region outlined_region(Label label, const std::vector<std::array<double, 2>>& corners,
                       const Geometry& grid) {
  RegionRing ring;
  for (const auto& corner : corners) {
    const Vec3 at = grid.to_world(Vec3{corner[0], corner[1], 0.0});
    ring.push_back({at[0], at[1]});
  }
  return {.label = label, .polygons = {{std::move(ring)}}};
}

Regions regions_from(const LabelMap& labels, RegionKind kind, Label label,
                     const std::function<void()>& checkpoint) {
  const Geometry& grid = labels.geometry();
  Regions regions;
  for (const LabelRegion& found : regions_of(labels, checkpoint)) {
    RegionPolygon polygon{in_world(found.outer, grid)};
    for (const Ring& hole : found.holes)
      polygon.push_back(in_world(hole, grid));
    const bool is_object = kind == RegionKind::Objects;
    regions.push_back(
        std::make_shared<const Region>(Region{.label = is_object ? label : found.label,
                                              .is_object = is_object,
                                              .polygons = {std::move(polygon)}}));
  }
  return regions;
}

std::vector<LabelRun> runs_inside(const Regions& regions, const Geometry& grid, Label label) {
  PolygonSpans drawing(grid.size[0], grid.size[1]);
  std::vector<PixelSpan> spans;
  for (const auto& region : regions) {
    for (const RegionPolygon& polygon : region->polygons) {
      const std::vector<PixelSpan>& found = drawing.of(in_pixels(polygon, grid));
      spans.insert(spans.end(), found.begin(), found.end());
    }
  }
  std::ranges::sort(spans);
  std::vector<LabelRun> runs;
  for (const PixelSpan& span : spans) {
    const std::int64_t begin = span.row * grid.size[0] + span.begin;
    const std::int64_t end = span.row * grid.size[0] + span.end;
    if (!runs.empty() && begin <= runs.back().end) {
      runs.back().end = std::max(runs.back().end, end);
    } else {
      runs.push_back({begin, end, label});
    }
  }
  return runs;
}

std::vector<LabelRun> runs_outside(const Regions& regions, const Geometry& grid, Label label) {
  std::vector<LabelRun> runs;
  std::int64_t at = 0;
  for (const LabelRun& inside : runs_inside(regions, grid, label)) {
    if (at < inside.begin) runs.push_back({at, inside.begin, label});
    at = inside.end;
  }
  if (at < grid.voxel_count()) runs.push_back({at, grid.voxel_count(), label});
  return runs;
}

}  // namespace seedwave
