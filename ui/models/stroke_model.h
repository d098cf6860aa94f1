// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/workbench.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace seedwave::ui {

/// The strokes in order of time, oldest first: number and label, size, length. They are exactly the
/// seeds of the next run. A stroke keeps its number as long as the image is open, whatever is
/// withdrawn, undone or restored around it.
class StrokeModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Label, Radius, Length, ColumnCount };

  /// `workbench` must outlive this.
  explicit StrokeModel(const Workbench& workbench, QObject* parent = nullptr);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  void on_part_changed(Part part);
  void number_strokes();

  const Workbench& workbench_;
  /// Rows last reported to the views: adding or removing at the end needs no reset.
  int rows_ = 0;
  /// The numbers of strokes with equal content, in order of time, by a hash of the content.
  std::unordered_map<std::size_t, std::vector<int>> given_;
  int last_number_ = 0;
  std::vector<int> numbers_;  // by row
};

/// Returns the length of a stroke's path in mm (pixels for an image without a scale).
[[nodiscard]] double length_of(const Stroke& stroke);

}  // namespace seedwave::ui
