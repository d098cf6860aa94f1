// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "ui/models/run_controller.h"

#include <QAbstractTableModel>

#include <cstdint>

namespace seedwave::ui {

/// The runs so far, newest first: time, operation, differences to the run before, ms, Dice.
class RunModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Number, Changes, Milliseconds, Dice, F1, ColumnCount };

  /// Both must outlive this.
  RunModel(const Workbench& workbench, const RunController& runs, QObject* parent = nullptr);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

  /// Returns the run of a row, or 0 if there is no such row.
  [[nodiscard]] std::uint64_t run_at(int row) const;
  [[nodiscard]] int row_of(std::uint64_t id) const;
  /// Returns whether a run has scores of objects, so that the column F1 says something.
  [[nodiscard]] bool has_object_scores() const;

 private:
  [[nodiscard]] const Run* run_in(int row) const;
  [[nodiscard]] QString changes(int row) const;
  [[nodiscard]] QStringList stroke_changes(const Run& before, const Run& run) const;
  [[nodiscard]] QVariant text(const Run& run, int row, int column) const;
  [[nodiscard]] QString tip(const Run& run, int row) const;

  const Workbench& workbench_;  // for names of labels
  const RunController& runs_;
};

/// Returns a value as the panel shows it: "12.5", "auto".
[[nodiscard]] QString value_text(const Value& value);
/// Returns "run 3" or "marker.nii.gz".
[[nodiscard]] QString choice_text(const InputChoice& choice);

}  // namespace seedwave::ui
