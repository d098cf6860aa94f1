// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace seedwave {

/// Calls body(0) .. body(workers-1) at the same time, each on a thread of its own, body(0) on the
/// calling one: for workers that wait for each other, which a task scheduler must not be asked to
/// run. Returns when all have ended; the first exception is rethrown then.
///
/// Where the system gives no more threads, there are as many workers as there are threads, at least
/// body(0): the work must be shared out as it is taken, not by the number of workers.
void run_workers(int workers, const std::function<void(int worker)>& body);

/// How many threads the system gives at one time, the calling one included: from 1 to `wanted`.
/// Starts them to find out, and ends them again.
[[nodiscard]] int threads_to_be_had(int wanted);

}  // namespace seedwave
