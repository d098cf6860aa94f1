// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <chrono>
#include <mutex>
#include <string>

namespace seedwave::cli {

/// A progress bar on standard error, erased at its end. Shows nothing if that is not a terminal or
/// the user wants quiet. Or lines for another program, "progress 42 strength": per cent and stage.
/// Thread-safe.
class ProgressBar {
 public:
  enum class Look { Bar, Lines };
  explicit ProgressBar(bool quiet, Look look = Look::Bar);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Returns the callback for Context::Settings, or null if nothing is shown, which costs nothing.
  [[nodiscard]] Context::Progress callback();

 private:
  void show(const std::string& stage, double fraction);

  Look look_;
  bool shown_;
  std::mutex mutex_;  // guards drawn_
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace seedwave::cli
