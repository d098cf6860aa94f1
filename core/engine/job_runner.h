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

/// How a job ended; `message` only where it failed.
struct JobOutcome {
  JobEnd end = JobEnd::Done;
  std::string message;
};

/// Runs one job at a time on a thread of its own. A new one cancels and replaces the one in flight:
/// the newest wins. The scratch cache lives as long as the runner, so that runs build on each
/// other.
///
/// Thread-safe. The destructor cancels and joins; callbacks come from the worker's thread, and none
/// after the destructor returned.
class JobRunner {
 public:
  /// Works, and keeps what it made in what it captured. Throws Cancelled, Error, std::bad_alloc.
  using Work = std::function<void(Context&)>;
  using Progress =
      std::function<void(std::uint64_t job, const std::string& stage, double fraction)>;
  using Finished = std::function<void(std::uint64_t job, const JobOutcome& outcome)>;

  JobRunner(Progress progress, Finished finished);
  ~JobRunner();
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  /// Returns the job's number, larger than any before: a result with a smaller one is late.
  std::uint64_t submit(Work work);
  /// Asks the job in flight to stop and forgets the one that waits. Does not wait.
  void cancel();
  /// True from submit() until the last job's Finished returned.
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
  mutable std::mutex mutex_;  // guards all below but the thread
  std::condition_variable_any wake_;
  std::optional<Job> waiting_;
  std::stop_source running_stop_;
  bool running_ = false;
  std::uint64_t last_number_ = 0;
  std::jthread thread_;  // last: started when all else is there, joined first
};

}  // namespace seedwave
