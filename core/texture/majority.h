// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave {

/// The most frequent label, 0 included, in the square of 2 radius + 1 pixels a side around each
/// pixel of a picture, as far as the square lies in it. Of equally frequent ones the pixel's own,
/// else the smallest.
///
/// Time: a pixel and label of the picture, whatever the radius. Memory: the answer, and for each
/// thread one count a column and label. The same bits for every number of threads. Throws
/// UsageError for a radius below 0, InputError for a volume, Cancelled.
[[nodiscard]] LabelMap majority(const LabelMap& labels, std::int64_t radius, Context& context);

}  // namespace seedwave
