// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"

#include <cstddef>
#include <vector>

namespace seedwave {

/// Which of the angles the lines of an image have, by the sums of its openings (closings) at them:
/// the largest (smallest). Of equal ones the nearest to 0, then the first.
[[nodiscard]] std::size_t strongest_angle(const std::vector<double>& angles,
                                          const std::vector<double>& sums, LineFilter filter);

/// Turned clockwise about its centre by so many degrees, slice by slice: lines that rose at that
/// angle then lie level. Same grid and type. Between the four nearest pixels values are bilinear,
/// whole numbers rounded, halves away from zero; what lies outside has the value `around`. f64
/// throughout, so that threads change no bit. Throws Cancelled.
[[nodiscard]] Volume turned_clockwise(const Volume& image, double degrees, double around,
                                      Context& context);

/// The middle one of the values in order: what a page shows where nothing is printed.
[[nodiscard]] double middle_value(const Volume& image);

}  // namespace seedwave
