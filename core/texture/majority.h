// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave {

/// Returns the most frequent label, including 0, in the square of side 2 radius + 1 around each
/// pixel of a 2-D image, clipped at the border. Among equally frequent labels the pixel's own wins,
/// or else the smallest.
///
/// Time: proportional to pixels times labels, for any radius. Memory: the answer and, for each
/// thread, one count per column and label. The result is bitwise equal for any number of threads.
/// Throws UsageError for a radius below 0, InputError for a volume, and Cancelled.
[[nodiscard]] LabelMap majority(const LabelMap& labels, std::int64_t radius, Context& context);

}  // namespace seedwave
