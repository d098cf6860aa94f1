// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seedwave {

/// Returns the step with which about `most` of `count` values are sampled, or all of them if there
/// are fewer. It is always odd: an even step would pick the same columns in rows of even length.
[[nodiscard]] constexpr std::int64_t sampling_step(std::int64_t count, std::int64_t most) noexcept {
  return (count / most) | 1;
}

}  // namespace seedwave
