// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/fixed_voxels.h"
#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// The connected part of equal labels around a voxel; neighbours share a face.
struct LabelPart {
  Label label = 0;
  /// Its voxels as runs along the first axis, in order of their offsets.
  std::vector<LabelRun> runs;
  std::int64_t voxels = 0;
  /// The part reaches the border of the grid; of a 2-D image that of the picture.
  bool reaches_border = false;
};

/// Returns the part around `index`, which must be inside. Memory: one bit for each voxel of the
/// grid, and the runs. Throws Cancelled.
[[nodiscard]] LabelPart part_at(const LabelMap& labels, const Index3& index, Context& context);

}  // namespace seedwave
