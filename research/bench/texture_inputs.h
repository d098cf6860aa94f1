// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "research/bench/timing.h"

#include <cstdint>
#include <vector>

namespace seedwave::bench {

/// Images of phases 1 .. count. tissue_phases: tissue() cut at intensities such that all
/// phases have about the same share, in patches as large as nuclei. noise_phases: each pixel's
/// phase from a hash, with independent neighbours. The third element of `size` is ignored.
[[nodiscard]] LabelMap tissue_phases(const Index3& size, std::int64_t count, Context& context);
[[nodiscard]] LabelMap noise_phases(const Index3& size, std::int64_t count);

/// Returns the benchmark inputs for the operations on windows of an image, as large as the first
/// slice of `size`.
///
/// `tpcf`: four phases of tissue and of noise, windows of 32, 64 and 128 as far as they fit, with
/// 8, 16 and 16 directions. All features are computed and summed; their mean, which is exact, is
/// compared. An algorithm that would take more than twenty seconds is left out. At 256 x 256 and a
/// window of 32 all run; at 1024 x 1024 `box` and `update`. Others: tissue() with its intensities.
[[nodiscard]] std::vector<TimedCase> texture_cases(const Operation& operation, const Index3& size,
                                                   Context& context);

}  // namespace seedwave::bench
