// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/region.h"

#include <cstddef>
#include <memory>
#include <optional>

/// The corners of a region that a person moves one by one. `reach`: how near a pointer must come to
/// a corner, in units of the world.
namespace seedwave {

/// A corner of a region, or the middle of the edge that follows it, where a new one may begin.
struct RegionCorner {
  std::size_t polygon = 0;
  std::size_t ring = 0;
  std::size_t corner = 0;
  bool is_new = false;
  friend bool operator==(const RegionCorner&, const RegionCorner&) = default;
};

/// Returns whether the corners of a ring are so far apart that a pointer can tell them from one
/// another: twice `reach` on average.
[[nodiscard]] bool corners_are_apart(const RegionRing& ring, double reach);
/// Returns whether an edge is long enough for a new corner in its middle.
[[nodiscard]] bool has_middle(const RegionPoint& begin, const RegionPoint& end, double reach);

/// Returns the nearest corner within reach of a point, or else the nearest middle of an edge; of
/// rings whose corners are apart.
[[nodiscard]] std::optional<RegionCorner> corner_near(const Region& region,
                                                      const RegionPoint& point, double reach);

/// Returns the region with a corner moved to a point, or with a new one there. A corner that comes
/// within reach of its neighbour is removed, unless the ring has only three.
[[nodiscard]] std::shared_ptr<const Region> with_corner_at(const Region& region,
                                                           const RegionCorner& corner,
                                                           const RegionPoint& point, double reach);

}  // namespace seedwave
