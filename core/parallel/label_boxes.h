// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <map>

namespace seedwave {

/// Returns the smallest box that holds the voxels of each label but 0. All threads. Throws
/// Cancelled.
[[nodiscard]] std::map<Label, Box> label_boxes(const LabelMap& map, Context& context);

}  // namespace seedwave
