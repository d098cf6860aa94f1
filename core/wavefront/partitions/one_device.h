// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstdint>
#include <functional>

namespace seedwave {

/// Solves the whole on one device in place of sharing it, where a device is among several workers
/// of an only process: what is shared lies in host memory, and to copy it costs more than
/// a second worker gains (decision 026). Call it where the device holds the whole.
///
/// Calls solve(context of the first device that has not failed) and reports its work, of so many
/// cells. Returns false if the run has one worker or several processes, if no device is left, if
/// parts of a given thickness or a checkpoint are asked for, or if the device lacks memory or
/// fails: then the workers are to share the run. Throws whatever else `solve` throws.
[[nodiscard]] bool solved_by_one_device(Context& run, std::int64_t cells,
                                        const std::function<void(Context&)>& solve);

}  // namespace seedwave
