// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Cells that lie side by side in a row, read and written at once.
namespace seedwave::gpu {

inline constexpr int kAtOnce = 4;

template <typename Value>
struct alignas(sizeof(Value) * kAtOnce > 16 ? 16 : sizeof(Value) * kAtOnce) Side {
  Value of[kAtOnce];
};

}  // namespace seedwave::gpu
