// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/affinity.h"
#include "core/fuzzy/scene.h"

#include <cstdint>
#include <span>

namespace seedwave::fuzzy {

/// What the seeds of `label` say about their object, in image units.
///
/// m is the median of their greys, sigma_o 1.4826 times the median absolute deviation, at least
/// half a grey step. Seeds of fewer than 8 distinct greys say too little (a stroke on a flat
/// region): then over the seeds and their 26 neighbours (8 in a plane), each cell once. Cells
/// outside the mask do not count. `label` must have a seed.
[[nodiscard]] ObjectFeature estimate_object(const ScaledScene& scene, std::span<const Seed> seeds,
                                            std::uint16_t label);

/// sqrt(mean d^2) of the greys of adjacent cells in the seeds' box grown by 10 voxels, in image
/// units, at least half a grey step. Pairs with an end outside the mask do not count. The same bits
/// for any thread count.
[[nodiscard]] double estimate_sigma_h(const ScaledScene& scene, std::span<const Seed> seeds,
                                      Connectivity connectivity, Context& context);

}  // namespace seedwave::fuzzy
