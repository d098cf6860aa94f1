// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/affinity.h"
#include "core/fuzzy/scene.h"

#include <cstdint>
#include <span>

namespace seedwave::fuzzy {

/// Estimates the object of `label` from its seeds, in image units.
///
/// m is the median of their intensities, and sigma_o is 1.4826 times the median absolute deviation.
/// Seeds of fewer than 8 distinct intensities are not representative (a stroke on a flat region).
/// In that case their 26 neighbours (8 in 2-D) are included, each cell once. Cells outside the mask
/// do not count. The label must have a seed.
///
/// sigma_o is at least half a step of the intensities: 0.5 for integer images. For f32 the step is
/// 1/65535 of the range of all seeds' intensities. If these are equal, the range in the seeds'
/// bounding box enlarged by 10 voxels is used. If these are equal too, the step is 1.
[[nodiscard]] ObjectFeature estimate_object(const AffinityImage& image, std::span<const Seed> seeds,
                                            std::uint16_t label);

/// Returns sqrt(mean d^2) over the intensities of adjacent cells in the seeds' bounding box
/// enlarged by 10 voxels, in image units. Returns 0 if there are no pairs. Pairs with an end
/// outside the mask do not count. The result is bitwise equal for any number of threads.
[[nodiscard]] double estimate_sigma_h(const AffinityImage& image, std::span<const Seed> seeds,
                                      Connectivity connectivity, Context& context);

}  // namespace seedwave::fuzzy
