// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace seedwave {

enum class JobEnd { Done, Cancelled, Failed };

/// The end of a job; `message` is set only if it failed.
struct JobOutcome {
  JobEnd end = JobEnd::Done;
  std::string message;
};

/// Runs one job at a time on a background thread. A new job cancels and replaces the current one.
/// The scratch cache lives as long as the runner, so that runs reuse earlier intermediate results.
///
/// Thread-safe. The destructor cancels and joins; callbacks are made on the background thread, and
/// none after the destructor has returned.
class JobRunner {
 public:
  /// Does the work and stores the results in captured variables. Throws Cancelled, Error,
  /// std::bad_alloc.
  using Work = std::function<void(Context&)>;
  using Progress =
      std::function<void(std::uint64_t job, const std::string& stage, double fraction)>;
  using Finished = std::function<void(std::uint64_t job, const JobOutcome& outcome)>;

  JobRunner(Progress progress, Finished finished);
  ~JobRunner();
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  /// Returns the job's number, which is larger than all before. A result with a smaller number is
  /// out of date.
  std::uint64_t submit(Work work);
  /// Requests the current job to stop and drops the waiting one. Does not wait.
  void cancel();
  /// Returns true from submit() until Finished of the last job has returned.
  [[nodiscard]] bool busy() const;
  [[nodiscard]] const std::shared_ptr<ScratchCache>& cache() const noexcept { return cache_; }

 private:
  struct Job {
    std::uint64_t number = 0;
    Work work;
    std::stop_source stop;
  };
  void work(const std::stop_token& stop);
  void run(Job& job);

  Progress progress_;
  Finished finished_;
  std::shared_ptr<ScratchCache> cache_ = std::make_shared<ScratchCache>();
  mutable std::mutex mutex_;  // guards all members below except the thread
  std::condition_variable_any wake_;
  std::optional<Job> waiting_;
  std::stop_source running_stop_;
  bool running_ = false;
  std::uint64_t last_number_ = 0;
  std::jthread thread_;  // last member: started after all others, joined before them
};

}  // namespace seedwave
