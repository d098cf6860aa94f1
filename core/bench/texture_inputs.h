// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/timing.h"
#include "core/image/label_map.h"

#include <cstdint>
#include <vector>

namespace seedwave::bench {

/// Pictures of phases 1 .. count: tissue() cut by grey, so that all have about the same share, in
/// patches as large as nuclei; or each pixel's phase by a hash, where neighbours have nothing to do
/// with each other. The third of `size` does not matter.
[[nodiscard]] LabelMap tissue_phases(const Index3& size, std::int64_t count, Context& context);
[[nodiscard]] LabelMap noise_phases(const Index3& size, std::int64_t count);

/// What the operations on windows of a picture are measured on, as large as the first slice of
/// `size`.
///
/// `tpcf`: four phases of tissue and of noise, windows of 32, 64 and 128 as far as they fit, with
/// 8, 16 and 16 directions. All features are computed and summed up; what agrees is their mean,
/// which is exact. An algorithm that would take more than twenty seconds is left out: at 256 x 256
/// and a window of 32 all run, at 1024 x 1024 `update` beside `box`. Others: tissue() with its
/// grey.
[[nodiscard]] std::vector<TimedCase> texture_cases(const Operation& operation, const Index3& size,
                                                   Context& context);

}  // namespace seedwave::bench
