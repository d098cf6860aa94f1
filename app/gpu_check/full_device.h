// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/checks.h"

namespace seedwave::gpu_check {

/// Adds to a report of check_parts() connectedness with what stays on the device: after a run on
/// the whole one in a stated memory, and one where the device turns out to be too full. Both give
/// the CPU's bits and give back what was kept.
void compare_on_full_device(const OperationTable& table, const PartsOptions& options,
                            Report& report);

}  // namespace seedwave::gpu_check
