// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace seedwave::ui {

/// How good the result is: Dice, large, with its change against the pinned run, and whether it is
/// that of the whole image; without a reference the change in voxels against the run before.
class ScoreStrip : public QWidget {
  Q_OBJECT

 public:
  /// Both must outlive this.
  ScoreStrip(Workbench& workbench, const RunController& runs, QWidget* parent = nullptr);

 private:
  void build();
  void refresh();
  void show_choice();
  /// The reference is silent about much of what the result labels.
  [[nodiscard]] bool reference_is_part() const;
  [[nodiscard]] QString objects_text(const Run& run) const;

  Workbench& workbench_;
  const RunController& runs_;
  QLabel* score_ = nullptr;
  QLabel* change_ = nullptr;
  QLabel* detail_ = nullptr;
  QCheckBox* where_labelled_ = nullptr;
  QLabel* hint_ = nullptr;
};

}  // namespace seedwave::ui
