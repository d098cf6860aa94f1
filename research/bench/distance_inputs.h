// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/bench/timing.h"

#include <vector>

namespace seedwave::bench {

/// Returns the benchmark inputs for `distance` and `influence-zones`.
///
/// Images: nuclei (tissue() above a threshold), sparse (1000 background pixels), and images with
/// most pixels far from any background: a disc, everything but nuclei, everything but the diagonal,
/// everything but one pixel. Volumes: the tissue of head(), 500 background voxels, and one. Zones
/// grow from the sparse points, each with a label of its own.
[[nodiscard]] std::vector<TimedCase> distance_cases(const Operation& operation, const Index3& size,
                                                    Context& context);

}  // namespace seedwave::bench
