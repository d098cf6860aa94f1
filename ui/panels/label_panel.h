// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "ui/models/label_model.h"
#include "ui/models/workbench.h"

#include <QPoint>
#include <QWidget>

#include <cstdint>

class QTreeView;

namespace seedwave::ui {

/// The list of labels: select, rename, colour, hide, add, remove.
class LabelPanel : public QWidget {
  Q_OBJECT

 public:
  /// All must outlive this.
  LabelPanel(Workbench& workbench, LabelModel& model, QWidget* parent = nullptr);

  /// Both act on the current label.
  void choose_colour();
  void remove_label();

 signals:
  void context_menu_requested(Label label, const QPoint& global);

 private:
  void show_current();

  Workbench& workbench_;
  LabelModel& model_;
  QTreeView* list_ = nullptr;
};

}  // namespace seedwave::ui
