// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed_in_slabs.h"

namespace seedwave::watershed {

/// Slabs solved on tiles.
[[nodiscard]] WatershedSlabSolver slab_solver_on_tiles();

/// watershed_by_tiles() in the context's memory.
[[nodiscard]] WatershedLabels labels_in_slabs(const WatershedProblem& problem, Context& context);

}  // namespace seedwave::watershed
