// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/object_model.h"

#include <QWidget>

#include <vector>

class QAction;
class QLabel;
class QTableView;

namespace seedwave::ui {

/// The table of the objects on screen: sorted by a click on a column, linked with the picture.
class ObjectPanel : public QWidget {
  Q_OBJECT

 public:
  /// `model` must outlive this. `save` writes the table to a file.
  ObjectPanel(ObjectModel& model, QAction* save, QWidget* parent = nullptr);

  /// Says whether the user sees the table: objects are found only then.
  void set_seen(bool seen);
  /// Selects an object alone, and brings it into sight.
  void select(int row);
  [[nodiscard]] std::vector<int> selected_rows() const;

 signals:
  /// The rows selected now; none after a change of the objects.
  void selection_changed(const std::vector<int>& rows);
  /// The row that the user moved to.
  void object_chosen(int row);
  /// A row was activated by a double click or Return.
  void activated(int row);

 private:
  void refresh();

  ObjectModel& model_;
  QTableView* table_ = nullptr;
  QLabel* summary_ = nullptr;
  QAction* save_ = nullptr;
};

}  // namespace seedwave::ui
