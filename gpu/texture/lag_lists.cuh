// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/texture/box_plan.h"

#include <cstdint>

namespace seedwave::gpu::texture {

/// Lags radius by radius, on the device.
struct LagLists {
  const std::int32_t* first;
  const WeighedLag* lags;
  int radii;

  /// Returns the sum over a radius's lags of weight times count(lag).
  template <typename Count>
  __device__ std::int64_t sum(int radius, const Count& count) const {
    std::int64_t sum = 0;
    const int end = first[radius + 1];
#pragma unroll 4
    for (int i = first[radius]; i < end; ++i)
      sum += lags[i].weight * count(lags[i].dx, lags[i].dy);
    return sum;
  }
};

}  // namespace seedwave::gpu::texture
