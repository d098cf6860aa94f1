// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/seed_set.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace seedwave {

/// Returns a warning for each of these labels of which a tenth of the seeds or more lie in parts of
/// the result (connected by faces) that are at most twice as large as the seeds in them.
///
/// seeds: sorted by offset. Cost: a few times the seeds of such labels.
[[nodiscard]] std::vector<std::string> hardly_grown(const LabelMap& result,
                                                    std::span<const Seed> seeds,
                                                    const std::set<Label>& labels);

}  // namespace seedwave
