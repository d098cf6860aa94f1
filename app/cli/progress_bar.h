// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <chrono>
#include <mutex>
#include <string>

namespace seedwave::cli {

/// A progress bar on standard error, erased at its end. Shows nothing if that is not a terminal or
/// the user wants quiet. Thread-safe.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Returns the callback for Context::Settings, or null if nothing is shown, which costs nothing.
  [[nodiscard]] Context::Progress callback();

 private:
  void show(const std::string& stage, double fraction);

  bool shown_;
  std::mutex mutex_;  // guards drawn_
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace seedwave::cli
