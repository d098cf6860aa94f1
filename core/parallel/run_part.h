// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace seedwave {

/// Calls body(context) with a part of a run, whose progress from 0 to 1 is that of the run between
/// two fractions. Times and work done are the run's, and workers that failed earlier in the run
/// take no part.
template <typename Body>
void run_part(Context& run, double from, double to, Body&& body) {
  Context part(run.for_part(from, to));
  const std::vector<WorkDone> before = run.work_done();
  for (std::size_t worker = 0; worker < before.size(); ++worker)
    part.add_work(worker, {.failure = before[worker].failure});
  std::forward<Body>(body)(part);
  for (const StageTime& time : part.stage_times())
    run.add_stage_time(time.stage, time.ms);
  const std::vector<WorkDone> work = part.work_done();
  for (std::size_t worker = 0; worker < work.size(); ++worker)
    run.add_work(worker, work[worker]);
}

}  // namespace seedwave
