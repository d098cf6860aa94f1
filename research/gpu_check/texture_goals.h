// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/gpu_check/goals.h"

namespace seedwave::gpu_check {

/// Times two-point correlations of an image of phases: windows of 32, 64 and 128, with 2 and 8
/// phases.
[[nodiscard]] Report texture_rows(const OperationTable& table, const GoalOptions& options);

}  // namespace seedwave::gpu_check
