// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// A closed line along the edges of pixels, its first corner not repeated. Corners are counted from
/// the top left corner of the image: pixel (0, 0) is the square from 0 to 1.
using Ring = std::vector<std::array<std::int64_t, 2>>;

/// The pixels of one label that hang together by their sides.
struct LabelRegion {
  Label label = 0;
  /// Around the region. Simple: it passes each corner once.
  Ring outer;
  /// Around the holes, each simple. They may touch each other and the outer ring in corners.
  std::vector<Ring> holes;
};

/// Returns the regions of a 2-D image of labels, in the order of their first pixels. `checkpoint`
/// is called for each row, and may throw.
[[nodiscard]] std::vector<LabelRegion> regions_of(const LabelMap& labels,
                                                  const std::function<void()>& checkpoint);

/// Returns the ring through the middles of the pixel edges that a ring passes, in halves of a
/// pixel, without points on straight lines: corners are cut, and stairs become slopes.
///
/// It passes no point twice, meets none of the other rings of its region, and encloses the same
/// centres of pixels. Regions do not overlap, and two of them leave no gap: both cut a corner along
/// the same line. Where three or four meet in a corner, up to half a pixel belongs to none. A
/// region that meets itself in a corner is joined there.
[[nodiscard]] Ring midpoint_ring(const Ring& ring);

}  // namespace seedwave
