// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Adjacent cells of a row, read and written at once.
namespace seedwave::gpu {

inline constexpr int kAtOnce = 4;

template <typename Value>
struct alignas(sizeof(Value) * kAtOnce > 16 ? 16 : sizeof(Value) * kAtOnce) Side {
  Value of[kAtOnce];
};

/// values[first + i] = of(i), `first` a multiple of kAtOnce.
template <typename Value, typename Of>
__device__ void store_side(Value* values, std::int64_t first, const Of& of) {
  Side<Value> side;
#pragma unroll
  for (int i = 0; i < kAtOnce; ++i)
    side.of[i] = of(i);
  *reinterpret_cast<Side<Value>*>(values + first) = side;
}

}  // namespace seedwave::gpu
