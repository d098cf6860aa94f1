// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/gpu_check/goals.h"

namespace seedwave::gpu_check {

/// Times openings by lines: of an image of 40 Mpx at several angles and lengths.
[[nodiscard]] Report line_rows(const OperationTable& table, const GoalOptions& options);

}  // namespace seedwave::gpu_check
