// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

namespace seedwave {

/// Core's operations with all that this build and machine can run them on.
[[nodiscard]] OperationTable make_table();

}  // namespace seedwave
