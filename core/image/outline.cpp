// SPDX-License-Identifier: Apache-2.0
#include "core/image/outline.h"

#include "core/image/polygon_spans.h"

#include <algorithm>

namespace seedwave {
std::vector<std::int64_t> rasterise(const Outline& outline, const Geometry& geometry) {
  std::vector<std::int64_t> offsets;
  if (outline.corners.size() < 3 || outline.slice < 0 ||
      outline.slice >= geometry.size[outline.slice_axis]) {
    return offsets;
  }
  const auto [along, across] = outline.axes;
  RegionRing ring;
  for (const auto& corner : outline.corners)
    ring.push_back({corner[0] + 0.5, corner[1] + 0.5});
  Index3 index{};
  index[outline.slice_axis] = outline.slice;
  PolygonSpans spans(geometry.size[along], geometry.size[across]);
  for (const PixelSpan& span : spans.of({ring})) {
    index[across] = span.row;
    for (index[along] = span.begin; index[along] < span.end; ++index[along])
      offsets.push_back(geometry.offset(index));
  }
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

}  // namespace seedwave
