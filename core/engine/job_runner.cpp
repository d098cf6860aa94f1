// SPDX-License-Identifier: Apache-2.0
#include "core/engine/job_runner.h"

#include "core/base/error.h"

#include <new>
#include <utility>

namespace seedwave {

JobRunner::JobRunner(Progress progress, Finished finished)
    : progress_(std::move(progress)),
      finished_(std::move(finished)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

JobRunner::~JobRunner() {
  cancel();
  thread_.request_stop();
  thread_.join();
}

std::uint64_t JobRunner::submit(Work work) {
  std::optional<Job> replaced;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    running_stop_.request_stop();
    replaced = std::exchange(waiting_, Job{++last_number_, std::move(work), {}});
    number = last_number_;
  }
  wake_.notify_one();
  // `replaced` never ran: nobody waits for it, because a newer number has just been returned.
  return number;
}

void JobRunner::cancel() {
  const std::lock_guard lock(mutex_);
  running_stop_.request_stop();
  waiting_.reset();
}

bool JobRunner::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ || waiting_.has_value();
}

void JobRunner::work(const std::stop_token& stop) {
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
      job = std::move(*waiting_);
      waiting_.reset();
      running_stop_ = job.stop;
      running_ = true;
    }
    run(job);
    const std::lock_guard lock(mutex_);
    running_ = false;
  }
}

void JobRunner::run(Job& job) {
  const std::uint64_t number = job.number;
  Context context(
      {.stop = job.stop.get_token(),
       .progress = [this, number](const std::string& stage,
                                  double fraction) { progress_(number, stage, fraction); },
       .cache = cache_});
  JobOutcome outcome;
  try {
    job.work(context);
    // A job that completes in spite of a stop request counts as done: its result is valid.
  } catch (const Cancelled&) {
    outcome.end = JobEnd::Cancelled;
  } catch (const Error& error) {
    outcome = {JobEnd::Failed, error.what()};
  } catch (const std::bad_alloc&) {
    cache_->clear();
    outcome = {JobEnd::Failed,
               "not enough memory: close other programs, or "
               "work on a smaller region"};
  } catch (const std::exception& error) {
    outcome = {JobEnd::Failed, std::string("unexpected failure: ") + error.what()};
  }
  finished_(number, outcome);
}

}  // namespace seedwave
