// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <string>

/// Builds `tpcf` from solvers, on any backend.
namespace seedwave {

/// Returns an implementation that runs a solver. A single window, and the windows of seeds, are
/// computed one by one, whatever the solver.
[[nodiscard]] Implementation tpcf_implementation(std::string algorithm, Backend backend,
                                                 TpcfSolver solver);

/// Largest number of bytes of features in one image.
inline constexpr std::int64_t kMostFeatureBytes = std::int64_t{8} << 30;

}  // namespace seedwave
