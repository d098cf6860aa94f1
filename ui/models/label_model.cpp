// SPDX-License-Identifier: Apache-2.0
#include "ui/models/label_model.h"

#include "core/image/label_map.h"
#include "ui/models/label_size.h"
#include "ui/models/scored_note.h"

#include <QColor>
#include <QLocale>

#include <cmath>

namespace seedwave::ui {

LabelModel::LabelModel(Workbench& workbench, const RunController& runs, QObject* parent)
    : QAbstractTableModel(parent), workbench_(workbench), runs_(runs) {
  connect(&workbench_, &Workbench::part_changed, this, &LabelModel::on_part_changed);
  connect(&workbench_, &Workbench::image_changed, this, [this] { on_part_changed(Part::Labels); });
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &LabelModel::on_figures_changed);
  connect(&runs_.history(), &KeptRuns::changed, this, &LabelModel::on_figures_changed);
}

int LabelModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(workbench_.document().labels.size());
}

int LabelModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

Label LabelModel::label_at(int row) const {
  const auto& labels = workbench_.document().labels;
  const auto at = static_cast<std::size_t>(row);
  return row >= 0 && at < labels.size() ? labels[at].id : 0;
}

int LabelModel::row_of(Label label) const {
  for (int row = 0; row < rowCount(); ++row) {
    if (label_at(row) == label) return row;
  }
  return -1;
}

std::optional<std::int64_t> LabelModel::voxels(Label label) const {
  const Run* run = runs_.displayed().run();
  if (run == nullptr || runs_.displayed().has_objects() || !runs_.displayed().has_labels())
    return std::nullopt;
  const auto found = run->facts.voxels.find(label);
  return found == run->facts.voxels.end() ? 0 : found->second;
}

std::optional<double> LabelModel::dice(Label label) const {
  const Run* run = runs_.displayed().run();
  if (run == nullptr || runs_.displayed().has_objects()) return std::nullopt;
  const auto found = run->score.labels.find(label);
  if (found == run->score.labels.end()) return std::nullopt;
  return found->second;
}

QVariant LabelModel::text(const LabelEntry& entry, int column) const {
  const QLocale locale;
  switch (column) {
    case Name:
      return QString::fromStdString(entry.name);
    case Opacity:
      return tr("%1 %").arg(std::lround(entry.opacity * 100.0));
    case Size:
      if (const auto count = voxels(entry.id)) {
        return size_number(workbench_.image().geometry(), *count);
      }
      return QStringLiteral("–");
    case Dice:
      if (const auto score = dice(entry.id)) return locale.toString(*score, 'f', 3);
      return QStringLiteral("–");
    default:
      return {};
  }
}

QVariant LabelModel::data(const QModelIndex& index, int role) const {
  const auto row = static_cast<std::size_t>(index.row());
  if (!index.isValid() || row >= workbench_.document().labels.size()) return {};
  const LabelEntry& entry = workbench_.document().labels[row];
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      if (column == Name) {  // the number is the key that selects the label
        const QString name = tr("%1  %2").arg(entry.id).arg(QString::fromStdString(entry.name));
        return workbench_.document().edits.is_locked(entry.id) ? tr("%1 (locked)").arg(name) : name;
      }
      return text(entry, column);
    case Qt::EditRole:
      if (column == Opacity) return static_cast<int>(std::lround(entry.opacity * 100.0));
      return text(entry, column);
    case Qt::DecorationRole:
      if (column == Name) return QColor(QString::fromStdString(entry.color));
      return {};
    case Qt::CheckStateRole:
      if (column == Name) return entry.visible ? Qt::Checked : Qt::Unchecked;
      return {};
    case Qt::TextAlignmentRole:
      return column == Name ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
      if (column == Name) {
        return tr("%1 (key %2): double-click to rename, tick to show")
            .arg(QString::fromStdString(entry.name))
            .arg(entry.id);
      }
      return {};
    case Qt::AccessibleTextRole:
      return column == Name ? QString::fromStdString(entry.name) : text(entry, column);
    default:
      return {};
  }
}

QVariant LabelModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) {
    switch (section) {
      case Name:
        return tr("Label");
      case Opacity:
        return tr("Opacity");
      case Size:
        return size_unit(workbench_.image().geometry());
      case Dice:
        return tr("Dice");
      default:
        return {};
    }
  }
  if (role == Qt::ToolTipRole) {
    if (section == Size) {
      return tr("Size of the label in the result, in %1")
          .arg(size_unit(workbench_.image().geometry()));
    }
    if (section == Dice) {
      return tr("Overlap with the reference, 0 to 1: 2|A∩B| / (|A|+|B|)") +
             scored_note(workbench_.document().scored);
    }
  }
  if (role == Qt::TextAlignmentRole && section != Name) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  return {};
}

Qt::ItemFlags LabelModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (index.column() == Name) flags |= Qt::ItemIsEditable | Qt::ItemIsUserCheckable;
  if (index.column() == Opacity) flags |= Qt::ItemIsEditable;
  return flags;
}

bool LabelModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const LabelEntry* found = workbench_.document().find_label(label_at(index.row()));
  if (found == nullptr) return false;
  LabelEntry entry = *found;
  if (role == Qt::CheckStateRole && index.column() == Name) {
    entry.visible = value.toInt() == Qt::Checked;
  } else if (role == Qt::EditRole && index.column() == Name) {
    const QString name = value.toString().trimmed();
    if (name.isEmpty()) return false;
    entry.name = name.toStdString();
  } else if (role == Qt::EditRole && index.column() == Opacity) {
    entry.opacity = std::clamp(value.toInt(), 0, 100) / 100.0;
  } else {
    return false;
  }
  workbench_.steps().change_label(entry);
  return true;
}

void LabelModel::on_part_changed(Part part) {
  if (part == Part::Edits && rowCount() > 0)
    emit dataChanged(index(0, Name), index(rowCount() - 1, Name));
  if (part != Part::Labels) return;
  beginResetModel();
  endResetModel();
}

void LabelModel::on_figures_changed() {
  if (rowCount() > 0) emit dataChanged(index(0, Size), index(rowCount() - 1, Dice));
}

}  // namespace seedwave::ui
