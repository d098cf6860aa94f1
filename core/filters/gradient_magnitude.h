// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

namespace seedwave {

/// Returns the gradient magnitude of an image of one channel after a Gaussian of `sigma` voxels
/// along each axis; a sigma of 0 does not smooth.
///
/// The smoothed image s is that of gaussian(), as stored after the last axis: it is not rounded to
/// integers. Along an axis with spacing d the derivative is (s(+1) - s(-1)) * (0.5 / d), where the
/// border voxel is repeated outside the image. The result is the root of the sum of its squares
/// along x, y and z, computed in f64 and stored as f32: in image units per mm (per pixel in 2-D
/// images without a scale). Bitwise equal for any number of threads.
///
/// Central differences measure a linear slope correctly at any sigma. A sampled derivative of a
/// Gaussian does not below about 0.7 voxels.
///
/// Memory: the result and 4 bytes per voxel (8 for i32), besides what gaussian() takes.
/// Throws InputError as gaussian() does, and Cancelled.
[[nodiscard]] Volume gradient_magnitude(const Volume& image, const Vec3& sigma, Context& context);

/// Returns the factors of the differences along each axis: 0.5 / spacing, and 0 for an axis of one
/// voxel.
[[nodiscard]] Vec3 difference_factors(const Geometry& geometry);

}  // namespace seedwave
