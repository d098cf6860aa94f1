// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <vector>

/// Filters by their definitions, for small inputs. Results are in order, x fastest.
namespace seedwave::reference {

/// Smooths by a Gaussian of `sigma` voxels, axis by axis, with the sums and the rounding between
/// axes that core/filters/gaussian.h states. Not rounded to integers.
std::vector<double> gaussian_sums(const Volume& image, const Vec3& sigma);
/// Returns these sums as values of the image's type.
std::vector<double> gaussian(const Volume& image, const Vec3& sigma);

/// Returns the middle of the sorted values within `radius`, in units of the spacing. Outside the
/// image the border voxel is repeated.
std::vector<double> median(const Volume& image, double radius);

/// Returns the length of the central differences of gaussian_sums().
std::vector<float> gradient_magnitude(const Volume& image, const Vec3& sigma);

}  // namespace seedwave::reference
