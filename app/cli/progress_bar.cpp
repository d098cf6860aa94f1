// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress_bar.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace seedwave::cli {
namespace {

constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr int kCells = 30;

}  // namespace

ProgressBar::ProgressBar(bool quiet, Look look)
    : look_(look), shown_(look == Look::Lines || (!quiet && isatty(STDERR_FILENO) == 1)) {}

ProgressBar::~ProgressBar() {
  if (shown_ && look_ == Look::Bar) std::fputs("\r\x1b[K", stderr);
}

Context::Progress ProgressBar::callback() {
  if (!shown_) return {};
  return [this](const std::string& stage, double fraction) { show(stage, fraction); };
}

void ProgressBar::show(const std::string& stage, double fraction) {
  const auto now = std::chrono::steady_clock::now();
  const std::unique_lock lock(mutex_, std::try_to_lock);  // the drawing thread draws for all
  if (!lock || now - drawn_ < kBetween) return;
  drawn_ = now;
  const double share = std::clamp(fraction, 0.0, 1.0);
  if (look_ == Look::Lines) {
    std::fprintf(stderr, "progress %d %s\n", static_cast<int>(share * 100), stage.c_str());
    std::fflush(stderr);
    return;
  }
  const int full = static_cast<int>(share * kCells);
  const std::string cells = std::string(full, '#') + std::string(kCells - full, '.');
  std::fprintf(stderr, "\r\x1b[K%-12s [%s] %3d %%", stage.c_str(), cells.c_str(),
               static_cast<int>(share * 100));
  std::fflush(stderr);
}

}  // namespace seedwave::cli
