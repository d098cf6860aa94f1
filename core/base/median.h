// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace seedwave {

/// Returns the middle value, or the mean of the two middle ones. Reorders the values, which must
/// not be empty. Cost: linear.
[[nodiscard]] double median(std::span<double> values);

}  // namespace seedwave
