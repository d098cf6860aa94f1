// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/seed_set.h"

#include <span>

namespace seedwave {

/// Returns labels in a type that holds the seeds' labels too: themselves if theirs does.
[[nodiscard]] LabelMap wide_enough_for(std::span<const Seed> seeds, const LabelMap& labels);

}  // namespace seedwave
