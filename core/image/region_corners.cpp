// SPDX-License-Identifier: Apache-2.0
#include "core/image/region_corners.h"

#include "core/base/error.h"

#include <cmath>
#include <utility>

namespace seedwave {
namespace {

/// A ring that encloses something has at least this many corners.
constexpr std::size_t kFewestCorners = 3;
constexpr double kReachesApart = 2.0;
/// Corners, middle and the gaps between them, on an edge.
constexpr double kReachesForMiddle = 4.0;

double distance(const RegionPoint& a, const RegionPoint& b) {
  return std::hypot(b[0] - a[0], b[1] - a[1]);
}

const RegionPoint& after(const RegionRing& ring, std::size_t corner) {
  return ring[(corner + 1) % ring.size()];
}
const RegionPoint& before(const RegionRing& ring, std::size_t corner) {
  return ring[(corner + ring.size() - 1) % ring.size()];
}

RegionPoint middle_of(const RegionPoint& a, const RegionPoint& b) {
  return {(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0};
}

/// The nearest of the places that were offered.
struct Nearest {
  double distance;
  std::optional<RegionCorner> corner{};

  void offer(double other, const RegionCorner& place) {
    if (other > distance || (corner && other == distance)) return;
    distance = other;
    corner = place;
  }
};

}  // namespace

bool corners_are_apart(const RegionRing& ring, double reach) {
  double length = 0.0;
  for (std::size_t i = 0; i < ring.size(); ++i)
    length += distance(ring[i], after(ring, i));
  return length >= kReachesApart * reach * static_cast<double>(ring.size());
}

bool has_middle(const RegionPoint& begin, const RegionPoint& end, double reach) {
  return distance(begin, end) >= kReachesForMiddle * reach;
}

std::optional<RegionCorner> corner_near(const Region& region, const RegionPoint& point,
                                        double reach) {
  Nearest corner{.distance = reach};
  Nearest middle{.distance = reach};
  for (std::size_t p = 0; p < region.polygons.size(); ++p) {
    for (std::size_t r = 0; r < region.polygons[p].size(); ++r) {
      const RegionRing& ring = region.polygons[p][r];
      if (!corners_are_apart(ring, reach)) continue;
      for (std::size_t i = 0; i < ring.size(); ++i) {
        corner.offer(distance(ring[i], point), {p, r, i, false});
        const RegionPoint& next = after(ring, i);
        if (has_middle(ring[i], next, reach))
          middle.offer(distance(middle_of(ring[i], next), point), {p, r, i, true});
      }
    }
  }
  return corner.corner ? corner.corner : middle.corner;
}

std::shared_ptr<const Region> with_corner_at(const Region& region, const RegionCorner& corner,
                                             const RegionPoint& point, double reach) {
  require(corner.polygon < region.polygons.size() &&
          corner.ring < region.polygons[corner.polygon].size());
  Region changed = region;
  RegionRing& ring = changed.polygons[corner.polygon][corner.ring];
  require(corner.corner < ring.size());
  std::size_t at = corner.corner;
  if (corner.is_new) {
    ++at;
    ring.insert(ring.begin() + static_cast<std::ptrdiff_t>(at), point);
  } else {
    ring[at] = point;
  }
  const bool meets =
      distance(point, before(ring, at)) <= reach || distance(point, after(ring, at)) <= reach;
  if (meets && ring.size() > kFewestCorners)
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(at));
  return std::make_shared<const Region>(std::move(changed));
}

}  // namespace seedwave
