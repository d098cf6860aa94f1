// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_controller.h"
#include "ui/models/run_model.h"

#include <QWidget>

#include <cstdint>
#include <vector>

class QAction;
class QPushButton;
class QTreeView;

namespace seedwave::ui {

/// Actions on the selected run: all are in the context menu of the list, some also have buttons.
struct RunActions {
  QAction* restore = nullptr;
  QAction* pin = nullptr;
  QAction* pin_curve = nullptr;
  QAction* compare = nullptr;
  QAction* copy_command = nullptr;
};

/// The history of runs: restore a run, pin one as A, compare.
class RunPanel : public QWidget {
  Q_OBJECT

 public:
  /// All must outlive this.
  RunPanel(RunController& runs, RunModel& model, const RunActions& actions,
           QWidget* parent = nullptr);

  /// Returns the selected runs in order of the list.
  [[nodiscard]] std::vector<std::uint64_t> chosen() const;

 signals:
  void choice_changed();

 private:
  void enable_buttons();
  void restore();
  void pin();
  void pin_curve();
  [[nodiscard]] std::uint64_t current() const;

  RunController& runs_;
  RunModel& model_;
  RunActions actions_;
  QTreeView* list_ = nullptr;
  QPushButton* restore_ = nullptr;
  QPushButton* pin_ = nullptr;
  /// Visible only if the selected run has a curve.
  QPushButton* pin_curve_ = nullptr;
  QPushButton* compare_ = nullptr;
};

}  // namespace seedwave::ui
