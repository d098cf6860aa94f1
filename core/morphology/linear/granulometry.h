// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// How much of an image openings (closings) of every length leave (Vincent 1994; Karas, Morard,
/// Bartovsky et al. 2015, 3).
struct GranulometryProblem {
  /// One value per voxel, no NaN.
  Volume image;
  /// Of the image's size.
  LineFamily lines;
  /// In cells along the lines, at least 1.
  std::int64_t longest = 1;
  LineBorder border = LineBorder::Anchor;
  LineFilter filter = LineFilter::Opening;
};

/// The sums over all cells of the opening by 1, 2, .. longest + 1 cells, the same bits whatever the
/// order (see ExactSum): what a length takes away is its sum less the next one. Throws what a
/// LinearOpeningSolver throws.
using GranulometrySolver = std::function<std::vector<double>(const GranulometryProblem&, Context&)>;

/// In one scan of each line: a stack of flat zones, each higher than those below. A zone ends where
/// the line falls; its width says up to which length it is kept, and then its cells fall to the
/// next lower zone. The default.
[[nodiscard]] std::vector<double> granulometry(const GranulometryProblem& problem,
                                               Context& context);
/// The definition: an opening for each length.
[[nodiscard]] std::vector<double> granulometry_by(const LinearOpeningSolver& open,
                                                  const GranulometryProblem& problem,
                                                  Context& context);

}  // namespace seedwave
