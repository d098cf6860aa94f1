// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/timing.h"

#include <vector>

namespace seedwave::bench {

/// What `distance` and `influence-zones` are measured on.
///
/// Images: nuclei (tissue() above a threshold), sparse (1000 background pixels), and where most is
/// far from any background: a disc, what is not nuclei, all but the diagonal, all but one pixel.
/// Volumes: the tissue of head(), 500 background voxels, and one. Zones grow from the sparse
/// points, each a label of its own.
[[nodiscard]] std::vector<TimedCase> distance_cases(const Operation& operation, const Index3& size,
                                                    Context& context);

}  // namespace seedwave::bench
