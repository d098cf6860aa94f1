// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/parallel/context.h"

namespace seedwave::bench {

/// Returns objects (1) with round holes, u8: about one hole in each square or cube of side
/// `period`, shifted and bent by sines so that no two are alike. One fifth is holes. The mean
/// distance from an object's cell to the nearest hole is 0.19 of the period in 2-D, 0.16 in a
/// volume.
[[nodiscard]] Volume blobs(const Index3& size, double period, Context& context);

}  // namespace seedwave::bench
