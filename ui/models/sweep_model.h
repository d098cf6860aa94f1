// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "ui/models/sweep_controller.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace seedwave::ui {

/// Returns whether a sweep can vary a parameter on such images. Label numbers are names without
/// values between them, and a direction has no range.
[[nodiscard]] bool can_vary(const Parameter& parameter, bool image_is_2d);

/// A measure of the runs of a sweep: a score of the whole result, the Dice of a label, or a volume.
struct SweepMeasure {
  enum class Kind { Score, Volume };

  Kind kind = Kind::Score;
  ScoreKind score = ScoreKind::Dice;
  /// 0: the score of the whole result, or the volume of all labels.
  Label label = 0;
  friend bool operator==(const SweepMeasure&, const SweepMeasure&) = default;
};

/// Returns the measures of a sweep, scores of the whole result first. Without a reference there are
/// only volumes.
[[nodiscard]] std::vector<SweepMeasure> measures_of(const Sweep& sweep);
/// Returns the measure of a run; nothing if the run failed. Volumes are in ml, of 2-D images in
/// pixels.
[[nodiscard]] std::optional<double> figure_of(const Sweep& sweep, const SweepRow& row,
                                              const SweepMeasure& measure);
/// Returns the name of a score in the user's language: "Dice", "F1 of objects".
[[nodiscard]] QString name_of(ScoreKind kind);
/// Returns "Dice (mean)", "Dice of ventricles" or "Volume of ventricles, ml".
[[nodiscard]] QString title_of(const Sweep& sweep, const SweepMeasure& measure,
                               const Workbench& workbench);
[[nodiscard]] QString figure_text(const SweepMeasure& measure, const std::optional<double>& figure);
/// Returns the varied values of a run: "σo 10, σh 2.5".
[[nodiscard]] QString varied_text(const Operation& operation, const SweepGrid& grid,
                                  std::size_t run);
/// Returns a value with few digits: "8.409", "auto".
[[nodiscard]] QString short_text(const Value& value);

/// The rows of a sweep: number, the measure, the mean ranking score with the neighbours, varied
/// values, time. Qt::UserRole holds the sort key of a column.
class SweepModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// The varied values start at FirstValue; the time follows.
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
  /// Returns null if the column holds no varied value.
  [[nodiscard]] const SweepAxis* axis_in(int column) const;
  [[nodiscard]] QVariant number_in(const SweepRow& row, int column) const;

  const SweepController& sweep_;
  const Workbench& workbench_;
  SweepMeasure measure_;
  /// The number of rows that the views know.
  std::size_t shown_rows_ = 0;
  const Sweep* shown_ = nullptr;
};

}  // namespace seedwave::ui
