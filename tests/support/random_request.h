// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/run.h"

#include <cstdint>

namespace seedwave::test {

/// Returns random inputs and values that `operation` accepts: the same for the same number. Sizes
/// are those around tiles and words, in turn: 3 is an image of 17 x 9, 4 a volume of 9 x 7 x 5, 12
/// the largest.
[[nodiscard]] RunRequest random_request(const Operation& operation, std::uint64_t number);

}  // namespace seedwave::test
