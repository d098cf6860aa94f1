// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QWidget>

class QLabel;

namespace seedwave::ui {

/// How good the result is: Dice, large, with its change against the pinned run; without a
/// reference the change in voxels against the run before.
class ScoreStrip : public QWidget {
  Q_OBJECT

 public:
  /// Both must outlive this.
  ScoreStrip(const Workbench& workbench, const RunController& runs, QWidget* parent = nullptr);

 private:
  void refresh();
  [[nodiscard]] QString objects_text(const Run& run) const;

  const Workbench& workbench_;
  const RunController& runs_;
  QLabel* score_ = nullptr;
  QLabel* change_ = nullptr;
  QLabel* detail_ = nullptr;
};

}  // namespace seedwave::ui
