// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <functional>

namespace seedwave {

/// Calls body(0) .. body(threads-1) at the same time, each on a thread of its own, body(0) on the
/// calling one: for workers that wait for each other, which a task scheduler must not be asked to
/// run. Returns when all have ended; the first exception is rethrown then.
void run_workers(Context& context, const std::function<void(int worker)>& body);

}  // namespace seedwave
