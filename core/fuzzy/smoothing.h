// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// Smooths the 16-bit intensities by a Gaussian of `sigma` voxels along x, then y, then z, and
/// rounds the result.
///
/// The sampled kernel is truncated at ceil(4 sigma), and its weights are normalised to 1. Outside
/// the image the border voxel is repeated. An axis of one voxel is not smoothed. Sums are taken in
/// f64 in a fixed order per voxel, so the result does not depend on the number of threads.
[[nodiscard]] std::vector<std::uint16_t> gaussian_smoothed(const std::vector<std::uint16_t>& greys,
                                                           const Geometry& geometry, double sigma,
                                                           Context& context);

/// Smooths an image of one channel and type i32 (rounded to integers) or f32 in the same way.
[[nodiscard]] Volume gaussian_smoothed(const Volume& image, double sigma, Context& context);

}  // namespace seedwave::fuzzy
