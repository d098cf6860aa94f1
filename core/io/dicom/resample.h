// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <vector>

namespace seedwave::io::dicom {

/// Slices at any places put onto an even grid: linear between the two nearest slices, bilinear
/// within a slice. Integers are rounded to nearest, halves upwards.
///
/// slices: one component or three; its Geometry's size tells columns, rows and slices, the rest is
/// not used. first_pixels: where each slice's first pixel lies, in continuous indices of `grid`,
/// ascending in z; the axes are those of `grid`. Voxels that no slice reaches get the smallest
/// value.
[[nodiscard]] Volume resample_slices(const Volume& slices, const std::vector<Vec3>& first_pixels,
                                     const Geometry& grid, Context& context);

}  // namespace seedwave::io::dicom
