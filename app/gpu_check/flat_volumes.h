// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/checks.h"

namespace seedwave::gpu_check {

/// Adds to a report of check_parity() images with the neighbours of volumes, a slice of which has
/// 4 (with 6) or 8 (18, 26). Operations refuse these; the solvers take them.
void compare_flat_volumes(int device, int cases, Report& report);

}  // namespace seedwave::gpu_check
