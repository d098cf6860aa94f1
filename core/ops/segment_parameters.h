// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <vector>

namespace seedwave {

/// Returns the parameters of `segment`: its own, those of the border, and those of the clean-up,
/// whose ids begin with `clean_`.
[[nodiscard]] std::vector<Parameter> segment_parameters();

}  // namespace seedwave
