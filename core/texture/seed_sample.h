// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace seedwave {

/// Largest number of windows per label; more would add little information.
inline constexpr std::int64_t kMostSeedsALabel = 1000;

/// Returns the offsets of each label's seeds, at most kMostSeedsALabel, evenly spaced in their
/// order.
[[nodiscard]] std::map<std::uint16_t, std::vector<std::int64_t>> seed_sample(
    std::span<const Seed> seeds);

}  // namespace seedwave
