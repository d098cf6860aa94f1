// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <cstdint>

/// Common parts of the operations that examine windows of a 2-D image.
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

}  // namespace seedwave
