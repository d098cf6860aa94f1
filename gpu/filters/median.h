// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// The median on the context's device, bit-identical to core's. One thread per voxel finds the bits
/// of the median from the highest in which the values of its ball differ to the lowest.
///
/// Stages: upload, median, download. Throws what core's median_filtered() throws, and
/// UnavailableError (no device, out of memory).
[[nodiscard]] Volume median_filtered(const Volume& image, double radius, Context& context);

/// Returns the device memory of a run.
[[nodiscard]] std::int64_t median_bytes(const Volume& image);

}  // namespace seedwave::gpu
