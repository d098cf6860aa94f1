// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/seed_set.h"

namespace seedwave::ui {

/// How labels come onto the image's grid.
enum class LabelFit {
  /// Only when the grids are the same, whatever the order of their axes.
  Exact,
  /// The voxels as they stand: the image's geometry replaces the file's.
  UseImageGeometry,
  /// The nearest voxel in space; outside the labels' grid 0.
  ResampleNearest,
};

/// The seeds of a label image as strokes that cover exactly the same voxels of its grid: one for
/// each run of equal labels along x. Labels above kLargestLabel are left out.
[[nodiscard]] SeedSet strokes_from(const LabelMap& labels);

}  // namespace seedwave::ui
