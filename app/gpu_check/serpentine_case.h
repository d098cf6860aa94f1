// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/check_case.h"

#include <cstdint>

namespace seedwave::gpu_check {

/// Reconstruction along one corridor, a pixel wide, there and back over all rows of a picture, from
/// its first pixel: the worst case of a wavefront.
[[nodiscard]] CheckCase serpentine_case(std::int64_t side);

}  // namespace seedwave::gpu_check
