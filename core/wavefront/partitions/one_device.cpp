// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/one_device.h"

#include "core/base/error.h"

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace seedwave {

bool solved_by_one_device(Context& run, std::int64_t cells,
                          const std::function<void(Context&)>& solve) {
  if (run.sharers() == 1 || run.ranks() != nullptr || run.saved() != nullptr || run.layers() > 0)
    return false;
  const std::vector<Worker>& workers = run.workers();
  const std::vector<WorkDone> done = run.work_done();
  std::size_t worker = 0;
  while (worker < workers.size() &&
         (workers[worker].device == kCpu || !done[worker].failure.empty()))
    ++worker;
  if (worker == workers.size()) return false;

  Context::Settings settings = run.for_part(0.0, 1.0);
  settings.device = workers[worker].device;
  settings.workers.clear();
  Context alone(std::move(settings));
  const auto start = std::chrono::steady_clock::now();
  try {
    solve(alone);
  } catch (const UnavailableError&) {
    return false;
  } catch (const DeviceFault&) {
    return false;
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  for (const StageTime& time : alone.stage_times())
    run.add_stage_time(time.stage, time.ms);
  run.add_work(worker, {.busy_ms = taken.count(), .visits = 1, .cells = cells});
  return true;
}

}  // namespace seedwave
