// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace seedwave::ui {

/// The quality of the result: Dice in large type, its change against the pinned run, and whether it
/// covers the whole image. Without a reference, the change in voxels against the previous run.
class ScoreStrip : public QWidget {
  Q_OBJECT

 public:
  /// Both must outlive this.
  ScoreStrip(Workbench& workbench, const RunController& runs, QWidget* parent = nullptr);

 private:
  void build();
  void refresh();
  void show_choice();
  /// Returns whether the reference has no label in much of what the result labels.
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
