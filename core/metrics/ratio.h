// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace seedwave {

/// Returns a quotient of counts; empty if the denominator is zero.
[[nodiscard]] inline std::optional<double> ratio(std::int64_t above, std::int64_t below) {
  if (below == 0) return {};
  return static_cast<double>(above) / static_cast<double>(below);
}

}  // namespace seedwave
