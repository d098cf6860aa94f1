// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <chrono>
#include <mutex>
#include <string>

namespace seedwave::cli {

/// A bar on standard error while something runs; nothing where that is no terminal or the user
/// wants quiet. Wiped out at its end. Thread-safe.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// For Context::Settings; null where nothing is shown, so that nobody pays for it.
  [[nodiscard]] Context::Progress callback();

 private:
  void show(const std::string& stage, double fraction);

  bool shown_;
  std::mutex mutex_;  // guards drawn_
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace seedwave::cli
