// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <vector>

namespace seedwave::io::dicom {

/// Resamples slices at arbitrary positions to an even grid: linearly between the two nearest
/// slices, bilinearly within a slice. Integers are rounded to nearest, halves upwards.
///
/// slices: one component or three; only the size of its Geometry is used, for columns, rows and
/// slices. first_pixels: the position of each slice's first pixel, in continuous indices of `grid`,
/// ascending in z; the axes are those of `grid`. Voxels that no slice reaches get the smallest
/// value.
[[nodiscard]] Volume resample_slices(const Volume& slices, const std::vector<Vec3>& first_pixels,
                                     const Geometry& grid, Context& context);

}  // namespace seedwave::io::dicom
