// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/reconstruction.h"

namespace seedwave {

/// Returns whether the mask has exactly two values and the marker lies nowhere below both (for
/// erosion, above). The number of voxels must also allow runs to be counted. `problem` must be
/// checked.
[[nodiscard]] bool has_two_values(const ReconstructionProblem& problem);

/// Reconstructs a problem for which has_two_values() holds, by the components of the mask's higher
/// value. Each component gets the highest marker in it. The cost does not depend on how paths wind.
/// Throws Cancelled.
[[nodiscard]] Reconstruction reconstruct_by_runs(const ReconstructionProblem& problem,
                                                 Context& context);

}  // namespace seedwave
