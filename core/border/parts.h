// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/vec3.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave::border {

/// Divides a grid into parts in which a band is searched: along its last axis of more than one
/// voxel, and along the axis before it.
class PartGrid {
 public:
  /// The parts are so large that the margins in reach of a band, which are searched twice, cost
  /// little; Context::layers() wide along both axes if given.
  PartGrid(const Geometry& geometry, double band, const Context& context);

  [[nodiscard]] std::int64_t count() const { return counts_[0] * counts_[1] * counts_[2]; }
  [[nodiscard]] bool is_divided(int axis) const { return counts_[axis] > 1; }
  [[nodiscard]] Box box(std::int64_t part) const;
  [[nodiscard]] std::int64_t part_at(const Index3& at) const;
  /// Calls visitor(part) for the parts that share voxels with a box in the grid.
  template <typename Visitor>
  void visit(const Box& box, Visitor&& visitor) const {
    const Index3 first = place_of(box.lo);
    const Index3 last = place_of({box.hi[0] - 1, box.hi[1] - 1, box.hi[2] - 1});
    for (std::int64_t z = first[2]; z <= last[2]; ++z) {
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        for (std::int64_t x = first[0]; x <= last[0]; ++x)
          visitor(x + counts_[0] * (y + counts_[1] * z));
      }
    }
  }
  /// Calls visitor(part, axis) for the parts that share a face with a part, before and after it
  /// along each axis.
  template <typename Visitor>
  void visit_neighbours(std::int64_t part, Visitor&& visitor) const {
    std::int64_t stride = 1;
    for (int axis = 0; axis < 3; stride *= counts_[axis++]) {
      const std::int64_t place = part / stride % counts_[axis];
      if (place > 0) visitor(part - stride, axis);
      if (place + 1 < counts_[axis]) visitor(part + stride, axis);
    }
  }
  friend bool operator==(const PartGrid&, const PartGrid&) = default;

 private:
  [[nodiscard]] Index3 place_of(const Index3& at) const {
    return {at[0] / sides_[0], at[1] / sides_[1], at[2] / sides_[2]};
  }

  Index3 size_;
  Index3 sides_;  // of a part
  Index3 counts_{1, 1, 1};
};

/// The input of a refinement: labels, and seeds sorted by offset.
struct LabelsAndSeeds {
  LabelMap labels;
  std::vector<Seed> seeds;
};

/// Returns for each part a box that holds its voxels whose labels or seeds differ. Both label maps
/// have the same grid and type.
[[nodiscard]] std::vector<Box> changes_between(const LabelsAndSeeds& before,
                                               const LabelsAndSeeds& now, const PartGrid& parts,
                                               Context& context);

}  // namespace seedwave::border
