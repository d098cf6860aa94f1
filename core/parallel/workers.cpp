// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/workers.h"

#include <algorithm>
#include <exception>
#include <latch>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace seedwave {

void run_workers(int workers, const std::function<void(int worker)>& body) {
  std::mutex mutex;  // guards failure
  std::exception_ptr failure;
  const auto guarded = [&](int worker) {
    try {
      body(worker);
    } catch (...) {  // caught here and rethrown below, on the caller's thread
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(std::max(workers, 1)));
    try {
      for (int worker = 1; worker < workers; ++worker)
        threads.emplace_back(guarded, worker);
    } catch (const std::system_error&) {
      // The system or a container allows no more threads: continue with the existing ones.
    }
    guarded(0);
  }
  if (failure) std::rethrow_exception(failure);
}

int threads_to_be_had(int wanted) {
  std::latch release(1);
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<std::size_t>(std::max(wanted, 1)));
  try {
    for (int thread = 1; thread < wanted; ++thread)
      threads.emplace_back([&release] { release.wait(); });
  } catch (const std::system_error&) {
    // The last one did not start.
  }
  release.count_down();
  return static_cast<int>(threads.size()) + 1;
}

}  // namespace seedwave
