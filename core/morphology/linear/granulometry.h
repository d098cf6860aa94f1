// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// Input of a granulometry: how much of an image remains after openings (closings) of every length
/// (Vincent 1994; Karas, Morard, Bartovsky et al. 2015, 3).
struct GranulometryProblem {
  /// One value per voxel, without NaN.
  Volume image;
  /// Lines for the image's size.
  LineFamily lines;
  /// Largest length, in cells along the lines, at least 1.
  std::int64_t longest = 1;
  LineBorder border = LineBorder::Anchor;
  LineFilter filter = LineFilter::Opening;
};

/// Returns the sums over all cells of the opening by 1, 2, .. longest + 1 cells, bitwise equal in
/// any order (see ExactSum). The amount that a length removes is its sum minus the next one. Throws
/// whatever a LinearOpeningSolver throws.
using GranulometrySolver = std::function<std::vector<double>(const GranulometryProblem&, Context&)>;

/// Scans each line once with a stack of flat zones, each higher than those below. A zone ends where
/// the line falls. Its width determines the length up to which it is preserved; beyond it the cells
/// fall to the next lower zone. The default.
[[nodiscard]] std::vector<double> granulometry(const GranulometryProblem& problem,
                                               Context& context);
/// The definition: computes an opening for each length.
[[nodiscard]] std::vector<double> granulometry_by(const LinearOpeningSolver& open,
                                                  const GranulometryProblem& problem,
                                                  Context& context);

}  // namespace seedwave
