// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/comparison.h"

#include <QWidget>

#include <vector>

class QAction;
class QLabel;
class QTreeWidget;

namespace seedwave::ui {

/// Comparison of two runs: their differences, and the legend of the map in the planes.
class ComparePanel : public QWidget {
  Q_OBJECT

 public:
  /// The window's actions for the display of the comparison and its end.
  struct Buttons {
    QAction* difference;
    QAction* wipe;
    QAction* side_by_side;
    QAction* one_place;
    QAction* swap;
    QAction* keep_a;
    QAction* end;
  };
  explicit ComparePanel(const Buttons& buttons, QWidget* parent = nullptr);

  void show_comparison(const Compared& compared);
  /// Shows differences of the same two runs.
  void show_differences(const std::vector<RunDifference>& differences);

 private:
  QLabel* head_ = nullptr;
  QTreeWidget* legend_ = nullptr;
  QTreeWidget* list_ = nullptr;
};

}  // namespace seedwave::ui
