// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"

#include <cstddef>
#include <vector>

namespace seedwave {

/// Returns the index of the angle of an image's lines, from the sums of its openings (closings) at
/// these angles: the largest (smallest) sum. Ties go to the angle nearest to 0, then to the first.
[[nodiscard]] std::size_t strongest_angle(const std::vector<double>& angles,
                                          const std::vector<double>& sums, LineFilter filter);

/// Rotates the image clockwise about its centre by so many degrees, slice by slice. Lines that rose
/// at that angle are then horizontal. Grid and type are the same. Interpolation between the four
/// nearest pixels is bilinear. Integers are rounded, halves away from zero. Pixels outside have the
/// value `around`. All computations are in f64 and do not depend on the number of threads. Throws
/// Cancelled.
[[nodiscard]] Volume turned_clockwise(const Volume& image, double degrees, double around,
                                      Context& context);

/// Returns the median value, which is the background value of a page.
[[nodiscard]] double middle_value(const Volume& image);

}  // namespace seedwave
