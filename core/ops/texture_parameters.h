// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <cstdint>

/// What the operations that look at windows of a picture have in common.
namespace seedwave {

/// `window`: the side of the windows in pixels.
[[nodiscard]] Parameter window_parameter();
/// `angle_step`: between two directions, a fraction of half a turn.
[[nodiscard]] Parameter angle_step_parameter();

[[nodiscard]] std::int64_t window_of(const Values& values);
/// As many as the step fits into half a turn, rounded.
[[nodiscard]] std::int64_t directions_of(const Values& values);
/// `values` with the step that so many directions really have: the one that was used.
[[nodiscard]] Values with_step_used(const Values& values);

}  // namespace seedwave
