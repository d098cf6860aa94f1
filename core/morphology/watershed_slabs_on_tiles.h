// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/watershed_in_slabs.h"

namespace seedwave::watershed {

/// Returns a solver of slabs on tiles.
[[nodiscard]] WatershedSlabSolver slab_solver_on_tiles();

/// Runs watershed_by_tiles() within the context's memory limit.
[[nodiscard]] WatershedLabels labels_in_slabs(const WatershedProblem& problem, Context& context);

}  // namespace seedwave::watershed
