// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seedwave {

/// The step with which about `most` of `count` values are looked at, all of them where there are no
/// more. Always odd: it does not fall in with rows of even length, whose columns it would pick.
[[nodiscard]] constexpr std::int64_t sampling_step(std::int64_t count, std::int64_t most) noexcept {
  return (count / most) | 1;
}

}  // namespace seedwave
