// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/morphology/linear/linear_opening.h"
#include "core/parallel/context.h"

namespace seedwave {

/// Opening (closing) by a box of `length` cells along each axis, at least 1. Even lengths are used
/// as they are.
///
/// opening(p) = the maximum, over all positions of the box that contain p, of the minimum in the
/// box. `border` determines where boxes may lie, along each axis as for lines of that length. So
/// the opening by the box never exceeds the opening by a line along an axis with the box's length.
///
/// The result has the image's grid and type; -0.0 becomes +0.0. A cell in no box has the lowest
/// (highest) value of the image. Exact, and bitwise equal for any number of threads. Cost per
/// voxel: about log2(length) comparisons for each axis, twice. Throws InputError if the image has a
/// NaN. Throws Cancelled.
[[nodiscard]] Volume box_opening(const Volume& image, const Index3& length, LineBorder border,
                                 LineFilter filter, Context& context);

}  // namespace seedwave
