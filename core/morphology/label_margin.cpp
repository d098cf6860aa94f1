// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/label_margin.h"

#include "core/image/crop.h"
#include "core/morphology/distance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace seedwave {
namespace {

enum class Side { Outside, Inside };

std::vector<LabelRun> margin_of(const LabelMap& labels, Label label, double margin, Side side,
                                Context& context) {
  const Box tight = box_of(labels, label);
  if (tight.empty()) return {};
  const Geometry& whole = labels.geometry();
  const double finest = *std::min_element(whole.spacing.begin(), whole.spacing.end());
  const auto reach = static_cast<std::int64_t>(
      std::min(std::floor(margin / finest), static_cast<double>(std::numeric_limits<int>::max())));
  const Box box = tight.grown(reach + 1, whole);
  const LabelMap part = crop(labels, box);
  const Geometry& grid = part.geometry();
  // The distance is to what is not an object: outside, that is the label; inside, everything else.
  std::vector<std::uint8_t> objects(static_cast<std::size_t>(grid.voxel_count()));
  for (std::size_t i = 0; i < objects.size(); ++i)
    objects[i] = (part.labels()[i] == label) == (side == Side::Inside) ? 1 : 0;
  const DistanceMap distances = distance_map({.objects = Volume(grid, std::move(objects)),
                                              .scale = spacing_scale(grid.size, grid.spacing)},
                                             context);
  const auto lengths = distances.distance.voxels<float>();
  const Label taken = side == Side::Outside ? Label{0} : label;
  const Label given = side == Side::Outside ? label : kFixedAsNone;
  const auto limit = static_cast<float>(margin);
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < grid.voxel_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (part.labels()[at] != taken || !(lengths[at] <= limit)) continue;
    offsets.push_back(offset_in_whole(i, box, whole));
  }
  return runs_at(offsets, given);
}

}  // namespace

std::vector<LabelRun> margin_outside(const LabelMap& labels, Label label, double margin,
                                     Context& context) {
  return margin_of(labels, label, margin, Side::Outside, context);
}

std::vector<LabelRun> margin_inside(const LabelMap& labels, Label label, double margin,
                                    Context& context) {
  return margin_of(labels, label, margin, Side::Inside, context);
}

}  // namespace seedwave
