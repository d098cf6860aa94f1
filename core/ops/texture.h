// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/texture/tissue.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <string>

/// Common parts of the operations that examine windows of a 2-D image, and their implementations
/// from solvers, on any backend.
namespace seedwave {

/// Returns the parameter `window`: the side of the windows in pixels.
[[nodiscard]] Parameter window_parameter();
/// Returns the parameter `angle_step` between two directions, as a fraction of half a turn.
[[nodiscard]] Parameter angle_step_parameter();

[[nodiscard]] std::int64_t window_of(const Values& values);
/// Returns how many steps fit into half a turn, rounded.
[[nodiscard]] std::int64_t directions_of(const Values& values);
/// Returns `values` with the step that this number of directions really has.
[[nodiscard]] Values with_step_used(const Values& values);

[[nodiscard]] Implementation tissue_implementation(std::string algorithm, Backend backend,
                                                   TissueSolvers solvers);
[[nodiscard]] Implementation look_alike_implementation(std::string algorithm, Backend backend,
                                                       TissueSolvers solvers);

/// Returns an implementation that runs a solver. A single window, and the windows of seeds, are
/// computed one by one, whatever the solver.
[[nodiscard]] Implementation tpcf_implementation(std::string algorithm, Backend backend,
                                                 TpcfSolver solver);

/// Largest number of bytes of features in one image.
inline constexpr std::int64_t kMostFeatureBytes = std::int64_t{8} << 30;

}  // namespace seedwave
