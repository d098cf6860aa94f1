// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/morphology/linear/linear_opening.h"
#include "core/parallel/context.h"

namespace seedwave {

/// Opening (closing) by a box of `length` cells along each axis, 1 and more; even ones as they are.
///
/// opening(p) = the highest, over all positions of the box that hold p, of the lowest value in it.
/// `border` says where boxes may lie, along each axis as for lines of that length. So where a
/// line along an axis has the box's length there, the opening by the box is never above the opening
/// by the line.
///
/// Grid and type of the image; -0.0 has become +0.0. A cell in no box has the lowest (highest)
/// value of the image. Exact, the same bits for any number of threads. Cost a voxel: some
/// log2(length) comparisons for each axis, twice. Throws InputError where the image has a NaN,
/// Cancelled.
[[nodiscard]] Volume box_opening(const Volume& image, const Index3& length, LineBorder border,
                                 LineFilter filter, Context& context);

}  // namespace seedwave
