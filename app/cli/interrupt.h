// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>
#include <stop_token>
#include <thread>

namespace seedwave::cli {

/// Turns the first SIGINT, SIGTERM or SIGHUP into a stop request; a second one ends the program at
/// once.
///
/// A signal handler may hardly do anything, so it only writes a byte to a pipe that a background
/// thread waits on. That thread also interrupts a system call of the creating thread that would
/// wait forever, such as opening a pipe without a reader: the call fails with EINTR. If no thread
/// can be started, a signal ends the program as usual. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const noexcept { return stop_.get_token(); }

 private:
  void wait_for_signal(pthread_t main);

  std::stop_source stop_;
  std::jthread thread_;
};

}  // namespace seedwave::cli
