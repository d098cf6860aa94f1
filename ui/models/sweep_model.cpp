// SPDX-License-Identifier: Apache-2.0
#include "ui/models/sweep_model.h"

#include "ui/models/scored_note.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <variant>

namespace seedwave::ui {

namespace {

/// A result with more labels contains objects, not labels that somebody named.
constexpr std::size_t kMostLabelColumns = 8;

QString tr_sweep(const char* text) {
  return QCoreApplication::translate("Sweep", text);
}

QString dice_title(const Sweep& sweep, const SweepMeasure& measure, const Workbench& workbench) {
  if (measure.label != 0) return tr_sweep("Dice of %1").arg(workbench.label_name(measure.label));
  if (sweep.labels().empty()) return tr_sweep("Dice of all labels together");
  if (sweep.labels().size() == 1)
    return tr_sweep("Dice of %1").arg(workbench.label_name(sweep.labels().front()));
  return tr_sweep("Dice (mean of %1 labels)").arg(sweep.labels().size());
}

}  // namespace

bool can_vary(const Parameter& parameter, bool image_is_2d) {
  const bool has_range = parameter.numbers() != nullptr || parameter.choices() != nullptr;
  return has_range && parameter.role_as<NamesLabel>() == nullptr &&
         applies_to(parameter.applies, image_is_2d);
}

std::vector<SweepMeasure> measures_of(const Sweep& sweep) {
  using Kind = SweepMeasure::Kind;
  std::vector<SweepMeasure> measures;
  if (sweep.is_scored()) {
    measures.push_back({Kind::Score, ScoreKind::Dice, 0});
    for (const ScoreKind kind : score_kinds()) {
      if (sweep.counts_objects() && is_of_objects(kind)) measures.push_back({Kind::Score, kind, 0});
    }
    if (sweep.labels().size() > 1 && sweep.labels().size() <= kMostLabelColumns) {
      for (const Label label : sweep.labels())
        measures.push_back({Kind::Score, ScoreKind::Dice, label});
    }
  }
  if (!sweep.subject().gives_labels()) return measures;
  if (sweep.counted().size() <= kMostLabelColumns) {
    for (const Label label : sweep.counted())
      measures.push_back({Kind::Volume, {}, label});
  }
  measures.push_back({Kind::Volume, {}, 0});
  return measures;
}

std::optional<double> figure_of(const Sweep& sweep, const SweepRow& row,
                                const SweepMeasure& measure) {
  if (!row.failure.empty()) return {};
  if (measure.kind == SweepMeasure::Kind::Score) {
    if (measure.label == 0) return row.score(measure.score);
    const auto found = row.by_label.find(measure.label);
    return found == row.by_label.end() ? std::nullopt : std::optional(found->second.dice);
  }
  constexpr double kPerMillilitre = 1000.0;
  const Geometry& geometry = sweep.subject().grid();
  const auto found = row.voxels.find(measure.label);
  const std::int64_t voxels =
      measure.label == 0 || found == row.voxels.end() ? row.labelled : found->second;
  const auto count = static_cast<double>(voxels);
  switch (geometry.unit) {
    case LengthUnit::Pixel:
      return count;
    case LengthUnit::Micrometre:
      return count * geometry.voxel_volume();
    case LengthUnit::Millimetre:
      break;
  }
  return count * geometry.voxel_volume() / kPerMillilitre;
}

QString name_of(ScoreKind kind) {
  switch (kind) {
    case ScoreKind::Dice:
      return tr_sweep("Dice");
    case ScoreKind::Jaccard:
      return tr_sweep("Jaccard");
    case ScoreKind::F1:
      return tr_sweep("F1 of objects");
    case ScoreKind::F1Mean:
      return tr_sweep("F1 of objects, mean over IoU");
    case ScoreKind::Precision:
      return tr_sweep("Precision of objects");
    case ScoreKind::Recall:
      return tr_sweep("Recall of objects");
    case ScoreKind::Pq:
      return tr_sweep("PQ");
    case ScoreKind::Aji:
      return tr_sweep("AJI");
  }
  return {};
}

QString title_of(const Sweep& sweep, const SweepMeasure& measure, const Workbench& workbench) {
  const LengthUnit lengths = sweep.subject().grid().unit;
  if (measure.kind == SweepMeasure::Kind::Score) {
    const bool is_dice = measure.score == ScoreKind::Dice;
    return (is_dice ? dice_title(sweep, measure, workbench) : name_of(measure.score)) +
           scored_note(sweep.scored());
  }
  const QString unit = lengths == LengthUnit::Pixel        ? tr_sweep("px")
                       : lengths == LengthUnit::Micrometre ? tr_sweep("µm²")
                                                           : tr_sweep("ml");
  if (measure.label == 0) return tr_sweep("Volume of all labels, %1").arg(unit);
  return tr_sweep("Volume of %1, %2").arg(workbench.label_name(measure.label), unit);
}

QString figure_text(const SweepMeasure& measure, const std::optional<double>& figure) {
  if (!figure) return QStringLiteral("–");
  if (measure.kind == SweepMeasure::Kind::Score) return QString::number(*figure, 'f', 3);
  return *figure >= 1000.0 ? QString::number(*figure, 'f', 0) : QString::number(*figure, 'g', 4);
}

QString short_text(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return QString::number(*number, 'g', 4);
  return QString::fromStdString(std::get<std::string>(value));
}

QString varied_text(const Operation& operation, const SweepGrid& grid, std::size_t run) {
  QStringList parts;
  const Values values = grid.values_of(run);
  for (const SweepAxis& axis : grid.axes()) {
    parts << QString::fromStdString(operation.parameter(axis.parameter).title) + QLatin1Char(' ') +
                 short_text(values.at(axis.parameter));
  }
  return parts.join(QStringLiteral(", "));
}

SweepModel::SweepModel(const SweepController& sweep, const Workbench& workbench, QObject* parent)
    : QAbstractTableModel(parent), sweep_(sweep), workbench_(workbench) {
  connect(&sweep_, &SweepController::changed, this, &SweepModel::follow);
}

void SweepModel::follow() {
  const std::size_t rows = sweep_.sweep() == nullptr ? 0 : sweep_.rows().size();
  if (sweep_.sweep() != shown_ || rows < shown_rows_) {
    beginResetModel();
    shown_ = sweep_.sweep();
    shown_rows_ = rows;
    endResetModel();
    return;
  }
  if (rows == shown_rows_) return;
  beginInsertRows({}, static_cast<int>(shown_rows_), static_cast<int>(rows) - 1);
  shown_rows_ = rows;
  endInsertRows();
  // A new row is a neighbour of older ones.
  emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void SweepModel::set_measure(const SweepMeasure& measure) {
  if (measure == measure_) return;
  beginResetModel();
  measure_ = measure;
  endResetModel();
}

int SweepModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_rows_);
}

int SweepModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : FirstValue + static_cast<int>(sweep_.grid().axes().size()) + 1;
}

const SweepAxis* SweepModel::axis_in(int column) const {
  const std::vector<SweepAxis>& axes = sweep_.grid().axes();
  const int axis = column - FirstValue;
  return axis < 0 || axis >= static_cast<int>(axes.size()) ? nullptr
                                                           : &axes[static_cast<std::size_t>(axis)];
}

QVariant SweepModel::number_in(const SweepRow& row, int column) const {
  if (column == Number) return static_cast<int>(row.run) + 1;
  if (axis_in(column) != nullptr) {
    const auto axis = static_cast<std::size_t>(column - FirstValue);
    return static_cast<int>(sweep_.grid().place_of(row.run)[axis]);
  }
  std::optional<double> number = row.facts.total_ms;
  if (column == Figure) number = figure_of(*shown_, row, measure_);
  if (column == Neighbours) number = neighbour_mean(sweep_.grid(), sweep_.found().scores, row.run);
  return number ? QVariant(*number) : QVariant();
}

QVariant SweepModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || shown_ == nullptr || index.row() >= rowCount()) return {};
  const SweepRow& row = sweep_.rows()[static_cast<std::size_t>(index.row())];
  if (role == Qt::UserRole) return number_in(row, index.column());
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && !row.failure.empty()) return QString::fromStdString(row.failure);
  if (role != Qt::DisplayRole) return {};
  if (const SweepAxis* axis = axis_in(index.column())) {
    return short_text(sweep_.grid().values_of(row.run).at(axis->parameter));
  }
  switch (index.column()) {
    case Number:
      return static_cast<int>(row.run) + 1;
    case Figure:
      return figure_text(measure_, figure_of(*shown_, row, measure_));
    case Neighbours:
      return figure_text({}, neighbour_mean(sweep_.grid(), sweep_.found().scores, row.run));
    default:
      return row.failure.empty()
                 ? QString::number(row.facts.total_ms, 'f', row.facts.total_ms < 10.0 ? 1 : 0)
                 : QStringLiteral("–");
  }
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  if (const SweepAxis* axis = axis_in(section)) {
    if (shown_ == nullptr) return {};
    return QString::fromStdString(sweep_.operation().parameter(axis->parameter).title);
  }
  switch (section) {
    case Number:
      return tr("Run");
    case Figure:
      return measure_.kind == SweepMeasure::Kind::Score ? name_of(measure_.score) : tr("Volume");
    case Neighbours:
      return tr("Neighbours");
    default:
      return tr("ms");
  }
}

}  // namespace seedwave::ui
