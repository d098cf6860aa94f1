// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/background_task.h"
#include "ui/models/object_model.h"
#include "ui/plots/object_plot.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QComboBox;

namespace seedwave::ui {

/// The plot of the listed objects, and the choice of its columns.
class ObjectPlotPanel : public QWidget {
  Q_OBJECT

 public:
  /// `model` must outlive this.
  explicit ObjectPlotPanel(ObjectModel& model, QWidget* parent = nullptr);

  /// Draws the listed objects, with those in some rows as chosen ones.
  void show_chosen(const std::vector<int>& rows);

 signals:
  /// The objects in the range that the user dragged; none for a click.
  void chosen(const std::vector<std::int32_t>& objects);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void fill_columns();
  void draw();
  void find(const std::vector<ColumnRange>& ranges);
  [[nodiscard]] std::optional<std::size_t> column_in(const QComboBox& box) const;

  ObjectModel& model_;
  QComboBox* x_ = nullptr;
  QComboBox* y_ = nullptr;
  ObjectPlot* plot_ = nullptr;
  std::vector<bool> chosen_;  // by object
  BackgroundTask drawing_;
  BackgroundTask finding_;
};

}  // namespace seedwave::ui
