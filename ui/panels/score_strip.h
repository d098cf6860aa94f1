// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QStringList>
#include <QWidget>

class QAction;
class QCheckBox;
class QLabel;
class QToolButton;

namespace seedwave::ui {

/// The quality of the result: Dice, or the F1 of numbered objects, in large type, its change
/// against the pinned run, and whether it covers the whole image. Without a reference, the change
/// in voxels against the previous run.
class ScoreStrip : public QWidget {
  Q_OBJECT

 public:
  /// All must outlive this. `compare`: shows where result and reference differ.
  ScoreStrip(Workbench& workbench, const RunController& runs, QAction* compare,
             QWidget* parent = nullptr);

 private:
  void build(QAction* compare);
  void refresh();
  void show_choice();
  /// Returns whether the reference has no label in much of what the result labels.
  [[nodiscard]] bool reference_is_part() const;
  [[nodiscard]] QString objects_text(const Run& run) const;
  /// Returns the meaning of the score, and further figures.
  [[nodiscard]] QStringList score_lines(const Run& run) const;

  Workbench& workbench_;
  const RunController& runs_;
  QLabel* score_ = nullptr;
  QLabel* change_ = nullptr;
  QToolButton* compare_ = nullptr;
  QLabel* detail_ = nullptr;
  QCheckBox* where_labelled_ = nullptr;
  QLabel* hint_ = nullptr;
};

}  // namespace seedwave::ui
