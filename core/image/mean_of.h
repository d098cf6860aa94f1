// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

/// Means of pixels: of whole numbers rounded, halves up, below zero too.
namespace seedwave {

/// The type of a sum of values.
template <typename T>
using SumOf = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

template <typename T>
T mean_of_four(T a, T b, T c, T d) {
  const SumOf<T> sum = SumOf<T>{0} + a + b + c + d;
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(sum / 4);
  } else {
    // Shifting rounds down for negative numbers too.
    return static_cast<T>((sum + 2) >> 2);
  }
}

/// Returns the mean of `count` values.
template <typename T>
T mean_of(SumOf<T> sum, std::int64_t count) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(sum / static_cast<double>(count));
  } else {
    const std::int64_t raised = sum + count / 2;
    return static_cast<T>(raised / count - (raised % count < 0 ? 1 : 0));
  }
}

}  // namespace seedwave
