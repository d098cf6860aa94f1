// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

namespace seedwave::gpu {

/// Reports the CUDA devices to the table, or the reason why there are none, and adds the
/// implementations that run on them. Without a device the implementations are still listed;
/// choosing one reports why it cannot run.
void add_implementations(OperationTable& table);

}  // namespace seedwave::gpu
