// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/ops/operation.h"

namespace seedwave {

/// Returns the parameter `connectivity`: 4 or 8 in 2-D, 6, 18 or 26 in 3-D.
[[nodiscard]] Parameter connectivity_parameter();

/// Returns its value.
[[nodiscard]] Connectivity connectivity_of(const Values& values);

}  // namespace seedwave
