// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

namespace seedwave {

/// Returns core's operations with all implementations that this build and machine can run.
[[nodiscard]] OperationTable make_table();

}  // namespace seedwave
