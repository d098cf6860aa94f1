// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/comparison.h"

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace seedwave::ui {

/// Two runs against each other: what differs, and the legend of the map that the planes show.
class ComparePanel : public QWidget {
  Q_OBJECT

 public:
  explicit ComparePanel(QWidget* parent = nullptr);

  void show_comparison(const Compared& compared);

 signals:
  /// The planes are to show the result again.
  void ended();

 private:
  QLabel* head_ = nullptr;
  QTreeWidget* legend_ = nullptr;
  QTreeWidget* list_ = nullptr;
};

}  // namespace seedwave::ui
