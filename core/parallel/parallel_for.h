// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstdint>
#include <functional>

namespace seedwave {

/// Calls body(begin, end) on disjoint ranges that cover 0..count, on at most context.threads()
/// threads. With one thread, runs on the calling thread. The first exception is rethrown after all
/// workers have ended; ranges not begun by then are skipped.
///
/// Checks for a stop between ranges, about every 10 ms. A body needs a checkpoint() only if `grain`
/// items take longer. Throws Cancelled.
///
/// `grain` is the number of items below which ranges are not split.
void parallel_for(Context& context, std::int64_t count, std::int64_t grain,
                  const std::function<void(std::int64_t begin, std::int64_t end)>& body);

/// Runs the same on the calling thread and in order, for items that depend on earlier ones. Checks
/// for a stop between ranges. Throws Cancelled.
void serial_for(Context& context, std::int64_t count,
                const std::function<void(std::int64_t begin, std::int64_t end)>& body);

}  // namespace seedwave
