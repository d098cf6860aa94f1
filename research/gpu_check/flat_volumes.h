// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/gpu_check/checks.h"

namespace seedwave::gpu_check {

/// Adds 2-D images with the neighbourhoods of volumes to a report of check_parity(). A slice then
/// has 4 neighbours (with 6) or 8 (with 18, 26). Operations refuse these; the solvers accept them.
void compare_flat_volumes(int device, int cases, Report& report);

}  // namespace seedwave::gpu_check
