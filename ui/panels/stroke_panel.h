// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/stroke_model.h"
#include "ui/models/workbench.h"

#include <QWidget>

#include <cstddef>
#include <vector>

class QAction;
class QTreeView;

namespace seedwave::ui {

/// The strokes painted so far: exactly the seeds of the next run. Any of them can be removed.
class StrokePanel : public QWidget {
  Q_OBJECT

 public:
  /// Both must outlive this.
  /// `withdraw` withdraws the selected strokes, and is enabled while there are any.
  StrokePanel(Workbench& workbench, StrokeModel& model, QAction* withdraw,
              QWidget* parent = nullptr);

 signals:
  /// A stroke was selected: its middle, so that the views can show it.
  void stroke_chosen(const seedwave::Vec3& place);
  /// The rows selected now; none after a change of the list.
  void selection_changed(const std::vector<std::size_t>& rows);

 private:
  void withdraw();
  [[nodiscard]] std::vector<std::size_t> selected_rows() const;

  Workbench& workbench_;
  StrokeModel& model_;
  QTreeView* list_ = nullptr;
};

}  // namespace seedwave::ui
