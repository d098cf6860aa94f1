// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/bench/timing.h"

#include <vector>

namespace seedwave::bench {

/// Returns the benchmark inputs for `watershed` and `split-objects`.
///
/// Watershed of images: tissue() smoothed by sigma 2, with dark nuclei and 4 and 8 neighbours; its
/// markers are the minima of squares of 15 x 15 below 140. Also pure noise with a marker in one of
/// 961 pixels, and one plateau with the same markers. Watershed of volumes: head() with its many
/// seeds as markers. Objects to split: nuclei, and the tissue of the head.
[[nodiscard]] std::vector<TimedCase> watershed_cases(const Operation& operation, const Index3& size,
                                                     Context& context);

}  // namespace seedwave::bench
