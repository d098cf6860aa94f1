// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <string>

/// How `tpcf` is made from solvers, on any backend.
namespace seedwave {

/// An implementation around a solver. One window alone, and the windows of seeds, are computed one
/// by one, whatever the solver.
[[nodiscard]] Implementation tpcf_implementation(std::string algorithm, Backend backend,
                                                 TpcfSolver solver);

/// More than so many bytes of features are not put into one image.
inline constexpr std::int64_t kMostFeatureBytes = std::int64_t{8} << 30;

}  // namespace seedwave
