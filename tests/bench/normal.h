// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace seedwave::bench {

/// Two independent standard normal numbers (Box and Muller): std::normal_distribution differs
/// between standard libraries, and inputs must not.
inline std::array<double, 2> normal_pair(std::mt19937_64& random) {
  const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace seedwave::bench
