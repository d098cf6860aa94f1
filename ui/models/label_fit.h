// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/seed_set.h"

namespace seedwave::ui {

/// Placement of labels on the grid of the image.
enum class LabelFit {
  /// Only if the grids are equal, apart from the order of their axes.
  Exact,
  /// The voxels as they are: the geometry of the image replaces that of the file.
  UseImageGeometry,
  /// The nearest voxel in space; 0 outside the grid of the labels.
  ResampleNearest,
};

/// Returns the seeds of a label map as strokes that cover exactly the same voxels of its grid: one
/// for each run of equal labels along x. Labels above kLargestLabel are left out.
[[nodiscard]] SeedSet strokes_from(const LabelMap& labels);

}  // namespace seedwave::ui
