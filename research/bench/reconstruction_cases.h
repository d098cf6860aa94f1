// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/reconstruction.h"
#include "research/bench/timing.h"

#include <vector>

namespace seedwave::bench {

/// Returns the benchmark inputs for reconstruction and its family. Images: tissue() with three
/// markers: opening by a disc of radius 15, erosion by a square of 31 x 31, and the image minus 40.
/// `reconstruct` also has the worst cases, of at most 1024 x 1024. Volumes: head() with h = 200.
[[nodiscard]] std::vector<TimedCase> reconstruction_cases(ReconstructionOperation operation,
                                                          const Index3& size, Context& context);

}  // namespace seedwave::bench
