// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/morphology/linear/line_family.h"
#include "core/parallel/context.h"

#include <vector>

namespace seedwave {

/// How sharply rows of print and the gaps between them follow each other along each of these
/// families of lines, so that rows are found which hold no line (Bloomberg, Kopec, Dasari 1995,
/// Measuring document image skew and orientation, Proc. SPIE 2422: the profile's differential
/// square sum).
///
/// A line has the sum of value - ground over its cells, 0 where it has none; the answer is the sum
/// over neighbouring lines of the square of the difference, all slices added up. Cells that are
/// infinite count as ground. f64 in a fixed order, so that threads change no bit. The families run
/// along x in the slices and have the image's size. Throws Cancelled.
[[nodiscard]] std::vector<double> row_contrast(const Volume& image, double ground,
                                               const std::vector<LineFamily>& directions,
                                               Context& context);

}  // namespace seedwave
