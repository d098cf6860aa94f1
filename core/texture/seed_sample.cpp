// SPDX-License-Identifier: Apache-2.0
#include "core/texture/seed_sample.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace seedwave {

std::map<std::uint16_t, std::vector<std::int64_t>> seed_sample(std::span<const Seed> seeds) {
  std::map<std::uint16_t, std::vector<std::int64_t>> offsets;
  for (const Seed& seed : seeds)
    offsets[seed.label].push_back(seed.offset);
  for (auto& [label, all] : offsets) {
    const auto there = std::ssize(all);
    const std::int64_t count = std::min<std::int64_t>(there, kMostSeedsALabel);
    std::vector<std::int64_t> picked;
    for (std::int64_t i = 0; i < count; ++i)
      picked.push_back(all[static_cast<std::size_t>(i * there / count)]);
    all = std::move(picked);
  }
  return offsets;
}

}  // namespace seedwave
