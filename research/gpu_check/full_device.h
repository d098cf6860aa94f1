// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/gpu_check/checks.h"

namespace seedwave::gpu_check {

/// Adds connectedness with kept device data to a report of check_parts(). After a run on the whole
/// come a run with a memory limit, and one on a device that turns out to be too full. Both must be
/// bit-identical to the CPU and free the kept data.
void compare_on_full_device(const OperationTable& table, const PartsOptions& options,
                            Report& report);

}  // namespace seedwave::gpu_check
