// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/timing.h"

#include <vector>

namespace seedwave::bench {

/// What `watershed` and `split-objects` are measured on.
///
/// Watershed of images: tissue() smoothed by sigma 2, nuclei dark, with 4 and 8 neighbours, its
/// markers the minima of squares of 15 x 15 below 140; pure noise, a marker in one of 961 pixels;
/// and one plateau with the same markers. Of volumes: head(), its many seeds the markers.
/// Objects to split: nuclei, and the tissue of the head.
[[nodiscard]] std::vector<TimedCase> watershed_cases(const Operation& operation, const Index3& size,
                                                     Context& context);

}  // namespace seedwave::bench
