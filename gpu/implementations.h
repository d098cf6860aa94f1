// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

namespace seedwave::gpu {

/// Tells the table which CUDA devices there are, or why none, and adds what can run on them to its
/// operations. Without a device the implementations are listed all the same, and choosing one says
/// why it cannot run.
void add_implementations(OperationTable& table);

}  // namespace seedwave::gpu
