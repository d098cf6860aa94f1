// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// The greys smoothed by a Gaussian of `sigma` voxels along x, then y, then z, and rounded.
///
/// A sampled kernel cut at ceil(4 sigma), its weights normalised to 1; outside the image the border
/// voxel repeats; an axis of one voxel is left alone. Sums in f64 in one fixed order per voxel, so
/// the result does not depend on the thread count.
[[nodiscard]] std::vector<std::uint16_t> gaussian_smoothed(const std::vector<std::uint16_t>& greys,
                                                           const Geometry& geometry, double sigma,
                                                           Context& context);

/// The same for an image of one channel and type i32 (rounded to integers) or f32.
[[nodiscard]] Volume gaussian_smoothed(const Volume& image, double sigma, Context& context);

}  // namespace seedwave::fuzzy
