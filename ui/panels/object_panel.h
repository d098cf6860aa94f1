// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/object_model.h"

#include <QItemSelection>
#include <QWidget>

#include <cstdint>
#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace seedwave::ui {

class ObjectColumns;
class ObjectPlotPanel;

/// The table of the objects on screen: filtered by a line of text, sorted by a click on a column,
/// plotted, and linked with the picture.
class ObjectPanel : public QWidget {
  Q_OBJECT

 public:
  /// `model` must outlive this. `save` writes the table to a file.
  ObjectPanel(ObjectModel& model, QAction* save, QWidget* parent = nullptr);

  /// Says whether the user sees the table: objects are found only then.
  void set_seen(bool seen);
  /// Selects an object alone, and brings it into sight.
  void select(int row);
  /// Selects objects, which come first from then on; none: selects nothing.
  void choose(const std::vector<std::int32_t>& objects);
  /// Returns the selected rows in increasing order.
  [[nodiscard]] std::vector<int> selected_rows() const;

 signals:
  /// The rows selected now; none after a change of the objects.
  void selection_changed(const std::vector<int>& rows);
  /// The row that the user moved to.
  void object_chosen(int row);
  /// A row was activated by a double click or Return.
  void activated(int row);

 private:
  [[nodiscard]] QToolButton* columns_button();
  [[nodiscard]] QToolButton* plot_button();
  void build_table();
  void build_filter();
  void follow_model();
  void refresh();
  void show_summary(std::size_t selected);
  void show_columns();
  void report_selection();
  void restore_selection();
  [[nodiscard]] QItemSelection rows_of(const std::vector<std::int32_t>& objects) const;

  ObjectModel& model_;
  QLineEdit* filter_ = nullptr;
  QLabel* filter_error_ = nullptr;
  ObjectColumns* columns_ = nullptr;
  QTableView* table_ = nullptr;
  ObjectPlotPanel* plot_ = nullptr;
  QLabel* summary_ = nullptr;
  QAction* save_ = nullptr;
  std::vector<std::int32_t> chosen_;  // in the first rows
  std::vector<std::int32_t> kept_;    // selected before the model was reset
  bool restoring_ = false;
};

}  // namespace seedwave::ui
