// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// The gradient magnitude on the context's device, bit-identical to core's.
///
/// Stages: upload, smooth, gradient, download. Throws what core's gradient_magnitude() throws, and
/// UnavailableError (no device, out of memory).
[[nodiscard]] Volume gradient_magnitude(const Volume& image, const Vec3& sigma, Context& context);

/// Returns the device memory of a run.
[[nodiscard]] std::int64_t gradient_magnitude_bytes(const Volume& image);

}  // namespace seedwave::gpu
