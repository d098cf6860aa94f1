// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/texture/tissue.h"

#include <string>

/// Builds `tissue` and `look-alike` from solvers, on any backend.
namespace seedwave {

[[nodiscard]] Implementation tissue_implementation(std::string algorithm, Backend backend,
                                                   TissueSolvers solvers);
[[nodiscard]] Implementation look_alike_implementation(std::string algorithm, Backend backend,
                                                       TissueSolvers solvers);

}  // namespace seedwave
