// SPDX-License-Identifier: Apache-2.0
#include "ui/window/shown_comparison.h"

namespace seedwave::ui {

ShownComparison::ShownComparison(const RunController& runs) {
  connect(&runs.displayed(), &DisplayedResult::changed, this, &ShownComparison::end);
  connect(&runs.displayed(), &DisplayedResult::part_changed, this, &ShownComparison::end);
}

void ShownComparison::begin(const Compared& compared) {
  compared_ = compared;
  other_run_shown_ = false;
  emit changed();
}

void ShownComparison::end() {
  if (!compared_) return;
  compared_.reset();
  other_run_shown_ = false;
  emit changed();
}

void ShownComparison::set_mode(CompareMode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  emit changed();
}

void ShownComparison::set_other_run_shown(bool shown) {
  if (!compared_ || shown == other_run_shown_) return;
  other_run_shown_ = shown;
  emit swapped();
}

}  // namespace seedwave::ui
