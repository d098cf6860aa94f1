// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace seedwave {

/// The middle value, or the mean of the two middle ones. Reorders the values, of which there must
/// be one at least. Cost: linear.
[[nodiscard]] double median(std::span<double> values);

}  // namespace seedwave
