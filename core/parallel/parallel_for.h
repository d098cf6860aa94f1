// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstdint>
#include <functional>

namespace seedwave {

/// Calls body(begin, end) on disjoint ranges that cover 0..count, on at most context.threads()
/// threads; with one thread on the calling one. The first exception is rethrown after all ended;
/// what was not begun by then is left out.
///
/// Between ranges, some 10 ms of work, it looks whether to stop; a body needs a checkpoint() only
/// where `grain` items take longer. Throws Cancelled.
///
/// grain: ranges are not split below this many items.
void parallel_for(Context& context, std::int64_t count, std::int64_t grain,
                  const std::function<void(std::int64_t begin, std::int64_t end)>& body);

/// The same on the calling thread and in order, for items that stand on those before them. Between
/// ranges it looks whether to stop. Throws Cancelled.
void serial_for(Context& context, std::int64_t count,
                const std::function<void(std::int64_t begin, std::int64_t end)>& body);

}  // namespace seedwave
