// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace seedwave {

/// Calls body(0) .. body(workers-1) at the same time, each on its own thread; body(0) runs on the
/// calling thread. For workers that wait for each other, which a task scheduler may not run at
/// once. Returns when all have ended, and then rethrows the first exception.
///
/// If the system provides fewer threads, there are fewer workers, but at least body(0). Work must
/// therefore be distributed as it is taken, not by the number of workers.
void run_workers(int workers, const std::function<void(int worker)>& body);

/// Returns how many threads the system provides at one time, including the calling one: from 1 to
/// `wanted`. Starts them to find out, and ends them again.
[[nodiscard]] int threads_to_be_had(int wanted);

}  // namespace seedwave
