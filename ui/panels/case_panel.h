// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/case_model.h"

#include <QWidget>

class QAction;
class QCheckBox;
class QLabel;
class QSortFilterProxyModel;
class QTreeView;

namespace seedwave::ui {

/// The actions of the panel, which other parts of the window share.
struct CaseActions {
  QAction* previous = nullptr;
  QAction* next = nullptr;
  QAction* done_and_next = nullptr;
};

/// The cases of the list that is open, and how many are done.
class CasePanel : public QWidget {
  Q_OBJECT

 public:
  /// `model` must outlive this.
  CasePanel(CaseModel& model, const CaseActions& actions, QWidget* parent = nullptr);

 signals:
  /// A case was activated by a double click or Return.
  void activated(int row);

 private:
  void refresh();
  void show_failures();

  CaseModel& model_;
  QSortFilterProxyModel* shown_ = nullptr;
  QTreeView* list_ = nullptr;
  QLabel* progress_ = nullptr;
  QLabel* failures_ = nullptr;
  QCheckBox* hide_done_ = nullptr;
};

}  // namespace seedwave::ui
