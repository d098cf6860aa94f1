// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace seedwave {

/// More windows a label would tell little more.
inline constexpr std::int64_t kMostSeedsALabel = 1000;

/// The offsets of each label's seeds, at most kMostSeedsALabel, evenly over their order.
[[nodiscard]] std::map<std::uint16_t, std::vector<std::int64_t>> seed_sample(
    std::span<const Seed> seeds);

}  // namespace seedwave
