// SPDX-License-Identifier: Apache-2.0
#include "core/mesh/label_surface.h"

#include "core/mesh/contour.h"
#include "core/mesh/indicator.h"

namespace seedwave {

Surface smooth_surface(const LabelMap& map, Label label, const Box& box,
                       const SurfaceLimits& limits, const std::stop_token& stop) {
  const auto cells = [&](std::int64_t factor) {
    const Index3 size = indicator_size(box, factor);
    return size[0] * size[1] * size[2];
  };
  std::int64_t factor = 1;
  while (cells(factor) > limits.cells && factor < kMostReduction)
    ++factor;
  for (;; ++factor) {
    Surface surface =
        contour(smooth_indicator(map, label, box, factor, stop), map.geometry(), stop);
    if (static_cast<std::int64_t>(surface.triangles.size()) <= limits.triangles ||
        factor >= kMostReduction) {
      return surface;
    }
  }
}

}  // namespace seedwave
