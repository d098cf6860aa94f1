// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// Largest number of voxels in the ball of a median filter.
inline constexpr std::int64_t kMostMedianVoxels = std::int64_t{1} << 20;

/// Returns the median of the values in a disc (2-D) or ball (3-D) around each voxel.
///
/// The ball holds the offsets of ball_offsets(). Outside the image the border voxel is repeated.
/// The number of values is odd, so their median is one of them. The result has the image's type;
/// -0.0 becomes +0.0. Bitwise equal for any number of threads.
///
/// Finds the bits of the median from the highest to the lowest: a bit is set if at most half of the
/// values are below the number with that bit. A vector of voxels is searched at once. Cost per
/// voxel: one comparison for each value and each bit in which values near it differ.
///
/// Throws InputError (NaN, several channels, a ball of more than kMostMedianVoxels), and Cancelled.
[[nodiscard]] Volume median_filtered(const Volume& image, double radius, Context& context);

/// Computes the same by a partial sort of the values around each voxel.
[[nodiscard]] Volume median_by_selection(const Volume& image, double radius, Context& context);

/// Throws InputError if the image has several channels, or NaN.
void check_for_median(const Volume& image);

/// Returns the offsets of ball_rows(), x fastest, none along an axis of one voxel. `radius` is in
/// mm (pixels in 2-D images without a scale). Throws InputError if there are more than
/// kMostMedianVoxels.
[[nodiscard]] std::vector<Index3> ball_offsets(double radius, const Geometry& geometry);

}  // namespace seedwave
