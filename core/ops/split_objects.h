// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/split_objects.h"
#include "core/ops/operation.h"

#include <string>

namespace seedwave {

/// Returns `split-objects` with the solvers of its steps, on any backend.
[[nodiscard]] Implementation split_objects_implementation(std::string algorithm, Backend backend,
                                                          SplitSolvers solvers);

}  // namespace seedwave
