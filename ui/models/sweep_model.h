// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/sweep_controller.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace seedwave::ui {

/// Whether a sweep can go through a parameter's values on such images: labels' numbers are names,
/// between which there is nothing, and a direction has no range.
[[nodiscard]] bool can_vary(const Parameter& parameter, bool image_is_2d);

/// A figure of a sweep's runs that can be shown: the mean Dice, that of a label, a volume.
struct SweepMeasure {
  enum class Kind { Dice, Volume };

  Kind kind = Kind::Dice;
  /// 0: the mean of all labels that are scored, or all that is labelled.
  std::uint16_t label = 0;
  friend bool operator==(const SweepMeasure&, const SweepMeasure&) = default;
};

/// What a sweep can show, the most telling first. Without a reference there are volumes alone.
[[nodiscard]] std::vector<SweepMeasure> measures_of(const Sweep& sweep);
/// Nothing where the run failed. Volumes in ml, of pictures in pixels.
[[nodiscard]] std::optional<double> figure_of(const Sweep& sweep, const SweepRow& row,
                                              const SweepMeasure& measure);
/// "Dice (mean)", "Dice of ventricles", "Volume of ventricles, ml".
[[nodiscard]] QString title_of(const Sweep& sweep, const SweepMeasure& measure,
                               const Workbench& workbench);
[[nodiscard]] QString figure_text(const SweepMeasure& measure, const std::optional<double>& figure);
/// "σo 10, σh 2.5": the varied values of a run.
[[nodiscard]] QString varied_text(const Operation& operation, const SweepGrid& grid,
                                  std::size_t run);
/// A value with the digits that people read: "8.409", "auto".
[[nodiscard]] QString short_text(const Value& value);

/// The rows of a sweep: number, the measure, the mean Dice with the neighbours, varied values,
/// time. Qt::UserRole has what a column is sorted by.
class SweepModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// From FirstValue on the varied values, then the time.
  enum Column { Number, Figure, Neighbours, FirstValue };

  /// Both must outlive this.
  SweepModel(const SweepController& sweep, const Workbench& workbench, QObject* parent = nullptr);

  void set_measure(const SweepMeasure& measure);
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  void follow();
  /// Null where the column holds no varied value.
  [[nodiscard]] const SweepAxis* axis_in(int column) const;
  [[nodiscard]] QVariant number_in(const SweepRow& row, int column) const;

  const SweepController& sweep_;
  const Workbench& workbench_;
  SweepMeasure measure_;
  /// What the views know of.
  std::size_t shown_rows_ = 0;
  const Sweep* shown_ = nullptr;
};

}  // namespace seedwave::ui
