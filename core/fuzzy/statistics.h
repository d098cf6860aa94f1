// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/affinity.h"
#include "core/fuzzy/scene.h"

#include <cstdint>
#include <span>

namespace seedwave::fuzzy {

/// What the seeds of `label` say about their object, in image units.
///
/// m is the median of their intensities, sigma_o 1.4826 times the median absolute deviation. Seeds
/// of fewer than 8 distinct intensities say too little (a stroke on a flat region): then over the
/// seeds and their 26 neighbours (8 in a plane), each cell once. Cells outside the mask do not
/// count. The label must have a seed.
///
/// sigma_o is at least half a grey step: 0.5 for integer images. For f32 the step is 1/65535 of the
/// range of all seeds' intensities; where these are equal, of the intensities in the seeds' box
/// grown by 10 voxels; where these are equal too, 1.
[[nodiscard]] ObjectFeature estimate_object(const AffinityImage& image, std::span<const Seed> seeds,
                                            std::uint16_t label);

/// sqrt(mean d^2) over the intensities of adjacent cells in the seeds' box grown by 10 voxels, in
/// image units; 0 where there is no pair. Pairs with an end outside the mask do not count. The same
/// bits for any thread count.
[[nodiscard]] double estimate_sigma_h(const AffinityImage& image, std::span<const Seed> seeds,
                                      Connectivity connectivity, Context& context);

}  // namespace seedwave::fuzzy
