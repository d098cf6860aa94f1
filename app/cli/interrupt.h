// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <thread>

namespace seedwave::cli {

/// Turns the first SIGINT, SIGTERM or SIGHUP into a stop request; a second one ends the program at
/// once.
///
/// A signal handler may hardly do anything, so it only writes a byte into a pipe that a thread of
/// ours waits on. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const noexcept { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread thread_;
};

}  // namespace seedwave::cli
