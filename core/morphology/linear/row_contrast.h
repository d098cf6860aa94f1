// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/morphology/linear/line_family.h"
#include "core/parallel/context.h"

#include <vector>

namespace seedwave {

/// Returns the contrast between rows of print and the gaps between them along each of these
/// families of lines. It also finds rows of text without ruled lines (Bloomberg, Kopec, Dasari
/// 1995, Measuring document image skew and orientation, Proc. SPIE 2422: the profile's differential
/// square sum).
///
/// The sum of a line is that of value - ground over its cells, or 0 without cells. The result is
/// the sum over adjacent lines of the squared difference, over all slices. Infinite cells count as
/// ground. Computed in f64 in a fixed order, so the result does not depend on the number of
/// threads. The families run along x in the slices and have the image's size. Throws Cancelled.
[[nodiscard]] std::vector<double> row_contrast(const Volume& image, double ground,
                                               const std::vector<LineFamily>& directions,
                                               Context& context);

}  // namespace seedwave
