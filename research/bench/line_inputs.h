// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/bench/timing.h"

#include <vector>

namespace seedwave::bench {

/// Returns the benchmark inputs for the operations by lines.
///
/// Images: noise, u8, in which every window ends soon and which keeps stacks and queues busy; and
/// tissue(), with long flat zones. Openings of noise are at 0, 30, 45 and 90 degrees, of 11, 41,
/// 101 and 251 pixels; those of tissue() are of 41 pixels. Volumes: head(), along z and along (1,
/// 0.5, 0.25), 21 voxels. Operations over many directions or lengths have their own values, with
/// lines of 41 on noise, otherwise on head().
[[nodiscard]] std::vector<TimedCase> line_cases(const Operation& operation, const Index3& size,
                                                Context& context);

}  // namespace seedwave::bench
