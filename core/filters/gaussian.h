// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <vector>

namespace seedwave {

/// Largest standard deviation of a Gaussian along an axis, in voxels.
inline constexpr double kLargestSigma = 1000.0;

/// Smooths an image of one channel by a Gaussian of `sigma` voxels along each axis.
///
/// Smooths along x, then y, then z. Along an axis the weight of offset k is exp(-k^2 / 2 sigma^2),
/// for |k| up to ceil(4 sigma), and the weights are divided by their sum. Outside the image the
/// border voxel is repeated. An axis of one voxel, or with a sigma of 0, is not smoothed.
///
/// A voxel's sum is taken in f64, from the centre outwards: w0 v(0) + w1 (v(-1) + v(1)) + ... It is
/// stored as f32 after each axis, or as f64 if the image is i32. The result has the image's type:
/// integers are floor(v + 0.5), computed in the stored type. Bitwise equal for any number of
/// threads.
///
/// Memory: the result. For a volume also 4 megabytes per thread, or 4 bytes per voxel (8 for i32)
/// if the slices that the kernel reaches along z do not fit into these.
/// Throws InputError (NaN or infinite values, several channels, a negative sigma or one above
/// kLargestSigma), and Cancelled.
[[nodiscard]] Volume gaussian(const Volume& image, const Vec3& sigma, Context& context);

/// Returns a length in voxels along each axis. `length` is in mm (pixels in 2-D images without a
/// scale).
[[nodiscard]] Vec3 in_voxels(double length, const Geometry& geometry);

}  // namespace seedwave
