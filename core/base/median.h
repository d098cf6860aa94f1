// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace seedwave {

/// Returns the middle value, or the mean of the two middle ones. Reorders the values, which must
/// not be empty. Cost: linear.
[[nodiscard]] double median(std::span<double> values);

/// Scales the median absolute deviation to an estimate of sigma for a normal distribution.
inline constexpr double kMadToSigma = 1.4826;

/// Returns kMadToSigma times the median absolute deviation of the values from `middle`. Replaces
/// the values by their distances from it.
[[nodiscard]] double deviation_about(double middle, std::span<double> values);

}  // namespace seedwave
