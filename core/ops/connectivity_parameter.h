// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/ops/operation.h"

namespace seedwave {

/// `connectivity`: 4 or 8 on images, 6, 18 or 26 on volumes.
[[nodiscard]] Parameter connectivity_parameter();

/// What it was set to.
[[nodiscard]] Connectivity connectivity_of(const Values& values);

}  // namespace seedwave
