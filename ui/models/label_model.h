// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <optional>

namespace seedwave::ui {

/// The labels of the document as rows: key and name, opacity, size in the result, Dice.
///
/// Edits go through the workbench, so that every change is a step that can be undone.
class LabelModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Opacity, Size, Dice, ColumnCount };

  /// Both must outlive this.
  LabelModel(Workbench& workbench, const RunController& runs, QObject* parent = nullptr);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  [[nodiscard]] Label label_at(int row) const;
  [[nodiscard]] int row_of(Label label) const;
  /// Returns the number of voxels of a label in the displayed result; empty without a result.
  [[nodiscard]] std::optional<std::int64_t> voxels(Label label) const;
  /// Returns the Dice of the displayed result; empty if the reference has no such label.
  [[nodiscard]] std::optional<double> dice(Label label) const;

 private:
  [[nodiscard]] QVariant text(const LabelEntry& entry, int column) const;
  void on_part_changed(Part part);
  void on_figures_changed();

  Workbench& workbench_;
  const RunController& runs_;
};

}  // namespace seedwave::ui
