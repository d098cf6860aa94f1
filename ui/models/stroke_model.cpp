// SPDX-License-Identifier: Apache-2.0
#include "ui/models/stroke_model.h"

#include <QColor>
#include <QLocale>

#include <cmath>

namespace seedwave::ui {

double length_of(const Stroke& stroke) {
  double length = 0.0;
  for (std::size_t i = 1; i < stroke.points.size(); ++i) {
    const Vec3& a = stroke.points[i - 1];
    const Vec3& b = stroke.points[i];
    length += std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  }
  return length;
}

StrokeModel::StrokeModel(const Workbench& workbench, QObject* parent)
    : QAbstractTableModel(parent), workbench_(workbench) {
  connect(&workbench_, &Workbench::part_changed, this, &StrokeModel::on_part_changed);
  connect(&workbench_, &Workbench::image_changed, this, [this] { on_part_changed(Part::Labels); });
}

int StrokeModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(workbench_.document().seeds.strokes.size());
}

int StrokeModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant StrokeModel::data(const QModelIndex& index, int role) const {
  const auto row = static_cast<std::size_t>(index.row());
  const auto& strokes = workbench_.document().seeds.strokes;
  if (!index.isValid() || row >= strokes.size()) return {};
  const Stroke& stroke = strokes[row];
  const QLocale locale;
  if (role == Qt::DisplayRole) {
    switch (index.column()) {
      case Label:
        return tr("%1  %2")
            .arg(index.row() + 1)
            .arg(stroke.label == 0 ? tr("eraser") : workbench_.label_name(stroke.label));
      case Radius:
        return locale.toString(stroke.radius_mm, 'f', 1);
      case Length:
        return locale.toString(length_of(stroke), 'f', 1);
      default:
        return {};
    }
  }
  if (role == Qt::DecorationRole && index.column() == Label && stroke.label != 0) {
    const LabelEntry* entry = workbench_.document().find_label(stroke.label);
    return QColor(QString::fromStdString(entry == nullptr ? make_label(stroke.label, {}).color
                                                          : entry->color));
  }
  if (role == Qt::TextAlignmentRole && index.column() != Label) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  return {};
}

QVariant StrokeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && section != Label) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  const bool scaled = workbench_.image().geometry().unit == LengthUnit::Millimetre;
  switch (section) {
    case Label:
      return tr("Stroke");
    case Radius:
      return scaled ? tr("Radius mm") : tr("Radius px");
    case Length:
      return scaled ? tr("Length mm") : tr("Length px");
    default:
      return {};
  }
}

void StrokeModel::on_part_changed(Part part) {
  const int now = rowCount();
  if (part == Part::Seeds && now == rows_ + 1) {
    beginInsertRows({}, rows_, rows_);
    rows_ = now;
    endInsertRows();
    // A withdrawn stroke that comes back in the middle looks like one more at the end.
    emit dataChanged(index(0, 0), index(now - 1, ColumnCount - 1));
  } else if (part == Part::Seeds || part == Part::Labels) {
    beginResetModel();
    rows_ = now;
    endResetModel();
  }
}

}  // namespace seedwave::ui
