// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/workbench.h"

#include <QAbstractTableModel>

#include <vector>

namespace seedwave::ui {

/// Returns the name and class of a region, for a list.
[[nodiscard]] QString region_title(const Workbench& workbench, const Region& region);

/// The regions of the document in the order in which they were made: class and name, area.
class RegionModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Class, Area, ColumnCount };

  /// `workbench` must outlive this.
  explicit RegionModel(Workbench& workbench, QObject* parent = nullptr);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  /// Names a region; an empty name leaves its class.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  void reset();

  Workbench& workbench_;
  /// Rows that the views know.
  Regions shown_;
};

}  // namespace seedwave::ui
