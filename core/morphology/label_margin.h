// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/fixed_voxels.h"
#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <vector>

namespace seedwave {

/// Returns the voxels without a label whose centres lie within `margin` of a centre of the label:
/// what the label gains when it grows by that distance, as runs of the label. Other labels keep
/// theirs.
///
/// margin: in the unit of the spacing, above 0. Distances are exact (core/morphology/distance.h).
/// Empty if the label does not occur. Throws Cancelled.
[[nodiscard]] std::vector<LabelRun> margin_outside(const LabelMap& labels, Label label,
                                                   double margin, Context& context);

/// Returns the voxels of the label whose centres lie within `margin` of a centre of another label
/// or of none: what it loses when it shrinks, as runs of kFixedAsNone. Voxels outside the grid
/// count as its own.
[[nodiscard]] std::vector<LabelRun> margin_inside(const LabelMap& labels, Label label,
                                                  double margin, Context& context);

}  // namespace seedwave
