// SPDX-License-Identifier: Apache-2.0
#include "core/border/parts.h"

#include "core/border/band.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

namespace seedwave::border {

PartGrid::PartGrid(const Geometry& geometry, double band, const Context& context)
    : size_(geometry.size), sides_(geometry.size) {
  constexpr std::int64_t kFewestVoxels = 1 << 17;
  const int last = layer_axis(geometry);
  const Index3 steps = band_reach(geometry, band).steps;
  std::int64_t voxels = geometry.voxel_count() / size_[last];  // of a layer along the axis
  for (int axis = last; axis >= std::max(0, last - 1); --axis) {
    const std::int64_t few = 4 * steps[axis] + 1;
    std::int64_t side = few;
    if (axis < last || axis == 0) side = std::max(few, kFewestVoxels / voxels + 1);
    if (context.layers() > 0) side = context.layers();
    sides_[axis] = std::min(side, size_[axis]);
    counts_[axis] = (size_[axis] + sides_[axis] - 1) / sides_[axis];
    if (axis > 0) voxels = voxels / size_[axis - 1] * sides_[axis];
  }
}

Box PartGrid::box(std::int64_t part) const {
  const Index3 place{part % counts_[0], part / counts_[0] % counts_[1],
                     part / (counts_[0] * counts_[1])};
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = place[axis] * sides_[axis];
    box.hi[axis] = std::min(size_[axis], box.lo[axis] + sides_[axis]);
  }
  return box;
}

std::int64_t PartGrid::part_at(const Index3& at) const {
  const Index3 place = place_of(at);
  return place[0] + counts_[0] * (place[1] + counts_[1] * place[2]);
}

std::vector<Box> changes_between(const LabelsAndSeeds& before, const LabelsAndSeeds& now,
                                 const PartGrid& parts, Context& context) {
  const Geometry& geometry = now.labels.geometry();
  std::vector<Box> changes(static_cast<std::size_t>(parts.count()));
  visit_labels(now.labels.labels(), [&]<LabelType T>(std::span<const T> labels) {
    const std::span<const T> old = before.labels.labels().as<T>();
    parallel_for(context, parts.count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t part = begin; part < end; ++part) {
        context.checkpoint(0.0);
        const Box box = parts.box(part);
        const auto bytes = static_cast<std::size_t>(box.hi[0] - box.lo[0]) * sizeof(T);
        for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
          for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
            const std::int64_t row = geometry.offset({box.lo[0], y, z});
            if (std::memcmp(labels.data() + row, old.data() + row, bytes) == 0) continue;
            changes[part].include({box.lo[0], y, z});
            changes[part].include({box.hi[0] - 1, y, z});
          }
        }
      }
    });
  });
  std::vector<Seed> different;
  std::ranges::set_symmetric_difference(
      before.seeds, now.seeds, std::back_inserter(different), [](const Seed& a, const Seed& b) {
        return std::pair(a.offset, a.label) < std::pair(b.offset, b.label);
      });
  for (const Seed& seed : different) {
    const Index3 at = geometry.index_of(seed.offset);
    changes[parts.part_at(at)].include(at);
  }
  return changes;
}

}  // namespace seedwave::border
