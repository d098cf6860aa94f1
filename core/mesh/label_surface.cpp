// SPDX-License-Identifier: Apache-2.0
#include "core/mesh/label_surface.h"

#include "core/mesh/contour.h"
#include "core/mesh/indicator.h"

namespace seedwave {

std::map<Label, Box> label_boxes(const LabelMap& map) {
  std::map<Label, Box> boxes;
  const Geometry& geometry = map.geometry();
  visit_labels(map.labels(), [&](auto labels) {
    for (std::int64_t z = 0; z < geometry.size[2]; ++z) {
      for (std::int64_t y = 0; y < geometry.size[1]; ++y) {
        const auto* row = labels.data() + geometry.offset({0, y, z});
        // A run of one label extends its box by its two ends only.
        for (std::int64_t x = 0; x < geometry.size[0];) {
          const Label label = row[x];
          std::int64_t end = x + 1;
          while (end < geometry.size[0] && row[end] == label)
            ++end;
          if (label != 0) {
            const auto [at, added] = boxes.try_emplace(label, Box{{x, y, z}, {x, y, z}});
            at->second.include({x, y, z});
            at->second.include({end - 1, y, z});
          }
          x = end;
        }
      }
    }
  });
  return boxes;
}

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
