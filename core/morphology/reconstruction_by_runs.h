// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"

namespace seedwave {

/// Whether the mask has exactly two values and the marker lies nowhere below both (by erosion
/// above); and there are not so many voxels that runs could not be counted. problem: checked.
[[nodiscard]] bool has_two_values(const ReconstructionProblem& problem);

/// Reconstruction of a problem that has_two_values(), by the components of the mask's higher one:
/// each has everywhere the highest that the marker has in it. Paths may wind as they like.
/// Throws Cancelled.
[[nodiscard]] Reconstruction reconstruct_by_runs(const ReconstructionProblem& problem,
                                                 Context& context);

}  // namespace seedwave
