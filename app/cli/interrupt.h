// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>
#include <stop_token>
#include <thread>

namespace seedwave::cli {

/// Turns the first SIGINT, SIGTERM or SIGHUP into a stop request; a second one ends the program at
/// once.
///
/// A signal handler may hardly do anything, so it only writes a byte into a pipe that a thread of
/// ours waits on. That thread also wakes the one that made this out of a system call that would
/// wait for ever, as opening a pipe without a reader does: the call fails with EINTR. Where no
/// thread can be had, a signal ends the program as it would any other. One at a time.
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
