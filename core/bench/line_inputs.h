// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/timing.h"

#include <vector>

namespace seedwave::bench {

/// What the operations by lines are measured on.
///
/// Images: noise, u8, where every window ends soon, and which keeps stacks and queues busy;
/// openings at 0, 30, 45 and 90 degrees of 11, 41, 101 and 251 pixels, and of 41 on tissue(), whose
/// flat zones are long. Volumes: head(), along z and along (1, 0.5, 0.25), 21 voxels. What goes
/// through many directions or lengths: its own values, with lines of 41 on noise, else on head().
[[nodiscard]] std::vector<TimedCase> line_cases(const Operation& operation, const Index3& size,
                                                Context& context);

}  // namespace seedwave::bench
