// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_controller.h"
#include "ui/models/run_model.h"

#include <QWidget>

#include <cstdint>

class QPushButton;
class QTreeView;

namespace seedwave::ui {

/// The history of runs: bring one back, pin one as A, compare.
class RunPanel : public QWidget {
  Q_OBJECT

 public:
  /// Both must outlive this.
  RunPanel(RunController& runs, RunModel& model, QWidget* parent = nullptr);

 signals:
  /// Two runs are to be seen against each other: a is the pinned or older one.
  void compare_requested(std::uint64_t a, std::uint64_t b);

 private:
  void enable_buttons();
  void compare();
  [[nodiscard]] std::uint64_t current() const;

  RunController& runs_;
  RunModel& model_;
  QTreeView* list_ = nullptr;
  QPushButton* restore_ = nullptr;
  QPushButton* pin_ = nullptr;
  QPushButton* compare_ = nullptr;
};

}  // namespace seedwave::ui
