// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace seedwave::bench {

/// SplitMix64's output function: a good hash of a counter.
inline std::uint64_t hash(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

/// Returns a normally distributed number for a counter, by Box and Muller: the same from any
/// thread, on any machine.
inline double normal(std::uint64_t counter) {
  constexpr double kUnit = 1.0 / 9007199254740992.0;  // 2^-53
  const double u = (static_cast<double>(hash(2 * counter) >> 11) + 1.0) * kUnit;
  const double v = static_cast<double>(hash(2 * counter + 1) >> 11) * kUnit;
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

}  // namespace seedwave::bench
