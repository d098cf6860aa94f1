// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/workers.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace seedwave {

void run_workers(Context& context, const std::function<void(int worker)>& body) {
  std::mutex mutex;  // guards failure
  std::exception_ptr failure;
  const auto guarded = [&](int worker) {
    try {
      body(worker);
    } catch (...) {  // a door: rethrown below, on the caller's thread
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int worker = 1; worker < context.threads(); ++worker)
      threads.emplace_back(guarded, worker);
    guarded(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace seedwave
