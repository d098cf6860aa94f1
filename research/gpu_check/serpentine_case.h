// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/gpu_check/check_case.h"

#include <cstdint>

namespace seedwave::gpu_check {

/// Returns a reconstruction along one corridor, one pixel wide, back and forth over all rows of an
/// image, from its first pixel. This is the worst case of a wavefront.
[[nodiscard]] CheckCase serpentine_case(std::int64_t side);

}  // namespace seedwave::gpu_check
