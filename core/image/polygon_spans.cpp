// SPDX-License-Identifier: Apache-2.0
#include "core/image/polygon_spans.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace seedwave {
namespace {

constexpr double kMostCrossings = 2e8;

/// Returns the first pixel whose centre is not before `at`, clamped to 0..most.
std::int64_t first_from(double at, std::int64_t most) {
  return static_cast<std::int64_t>(std::clamp(std::ceil(at - 0.5), 0.0, static_cast<double>(most)));
}

}  // namespace

RegionPolygon in_pixels(RegionPolygon polygon, const Geometry& grid) {
  for (RegionRing& ring : polygon) {
    for (RegionPoint& point : ring) {
      const Vec3 index = grid.to_index({point[0], point[1], grid.origin[2]});
      point = {index[0] + 0.5, index[1] + 0.5};
    }
  }
  return polygon;
}

/// Notes where an edge crosses the middles of rows.
void PolygonSpans::cross(RegionPoint low, RegionPoint high) {
  // Always upwards, so that polygons on both sides of an edge find the same crossings.
  if (low[1] > high[1]) std::swap(low, high);
  const std::int64_t begin = first_from(low[1], height_);
  const std::int64_t end = first_from(high[1], height_);
  work_ += static_cast<double>(end - begin);
  if (work_ > kMostCrossings) throw InputError("the regions would take very long to draw");
  for (std::int64_t row = begin; row < end; ++row) {
    const double share = (static_cast<double>(row) + 0.5 - low[1]) / (high[1] - low[1]);
    crossings_.push_back({row, low[0] + share * (high[0] - low[0])});
  }
}

const std::vector<PixelSpan>& PolygonSpans::of(const RegionPolygon& polygon) {
  crossings_.clear();
  spans_.clear();
  for (const RegionRing& ring : polygon) {
    for (std::size_t i = 0; i < ring.size(); ++i)
      cross(ring[i], ring[(i + 1) % ring.size()]);
  }
  std::ranges::sort(crossings_);
  for (std::size_t i = 0; i + 1 < crossings_.size(); i += 2) {
    const std::int64_t begin = first_from(crossings_[i].x, width_);
    const std::int64_t end = first_from(crossings_[i + 1].x, width_);
    if (begin < end) spans_.push_back({crossings_[i].row, begin, end});
  }
  return spans_;
}

}  // namespace seedwave
