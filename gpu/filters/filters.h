// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// The Gaussian on the context's device, bit-identical to core's. One thread per voxel sums along
/// one axis; the weights are computed on the host.
///
/// Stages: upload, smooth, download. Throws what core's gaussian() throws, and UnavailableError (no
/// device, out of memory).
[[nodiscard]] Volume gaussian(const Volume& image, const Vec3& sigma, Context& context);

/// Returns the device memory of a run.
[[nodiscard]] std::int64_t gaussian_bytes(const Volume& image);

/// The gradient magnitude on the context's device, bit-identical to core's.
///
/// Stages: upload, smooth, gradient, download. Throws what core's gradient_magnitude() throws, and
/// UnavailableError (no device, out of memory).
[[nodiscard]] Volume gradient_magnitude(const Volume& image, const Vec3& sigma, Context& context);

/// Returns the device memory of a run.
[[nodiscard]] std::int64_t gradient_magnitude_bytes(const Volume& image);

/// The median on the context's device, bit-identical to core's. One thread per voxel finds the bits
/// of the median from the highest in which the values of its ball differ to the lowest.
///
/// Stages: upload, median, download. Throws what core's median_filtered() throws, and
/// UnavailableError (no device, out of memory).
[[nodiscard]] Volume median_filtered(const Volume& image, double radius, Context& context);

/// Returns the device memory of a run.
[[nodiscard]] std::int64_t median_bytes(const Volume& image);

}  // namespace seedwave::gpu
