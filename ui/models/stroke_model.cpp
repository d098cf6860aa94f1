// SPDX-License-Identifier: Apache-2.0
#include "ui/models/stroke_model.h"

#include "core/image/length_scale.h"

#include <QColor>
#include <QHashFunctions>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

namespace {

/// Equal strokes have equal hashes. A collision only swaps numbers.
std::size_t hash_of(const Stroke& stroke) {
  const auto of_points =
      qHashBits(stroke.points.data(), stroke.points.size() * sizeof(Vec3), stroke.label);
  return qHashBits(&stroke.radius_mm, sizeof stroke.radius_mm, of_points);
}

}  // namespace

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
  connect(&workbench_, &Workbench::image_changed, this, [this] {
    given_.clear();
    last_number_ = 0;
    number_strokes();
    on_part_changed(Part::Labels);
  });
}

void StrokeModel::number_strokes() {
  const auto& strokes = workbench_.document().seeds.strokes;
  std::unordered_map<std::size_t, std::size_t> seen;
  numbers_.clear();
  for (const Stroke& stroke : strokes) {
    const std::size_t hash = hash_of(stroke);
    const std::size_t before = seen[hash]++;
    std::vector<int>& given = given_[hash];
    if (before == given.size()) given.push_back(++last_number_);
    numbers_.push_back(given[before]);
  }
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
  if (!index.isValid() || row >= std::min(strokes.size(), numbers_.size())) return {};
  const Stroke& stroke = strokes[row];
  const QLocale locale;
  const LengthScale lengths = length_scale(workbench_.image().geometry());
  if (role == Qt::DisplayRole) {
    switch (index.column()) {
      case Label:
        return tr("%1  %2")
            .arg(numbers_[row])
            .arg(stroke.label == 0 ? tr("eraser") : workbench_.label_name(stroke.label));
      case Radius:
        return locale.toString(stroke.radius_mm * lengths.per_unit, 'f', 1);
      case Length:
        return locale.toString(length_of(stroke) * lengths.per_unit, 'f', 1);
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
  if (role == Qt::ToolTipRole && section == Radius) return tr("Radius of the brush");
  if (role == Qt::ToolTipRole && section == Length) return tr("Length of the stroke's path");
  if (role != Qt::DisplayRole) return {};
  const QString unit = QString::fromStdString(length_scale(workbench_.image().geometry()).symbol);
  switch (section) {
    case Label:
      return tr("Stroke");
    case Radius:
      return tr("r %1").arg(unit);
    case Length:
      return unit;
    default:
      return {};
  }
}

void StrokeModel::on_part_changed(Part part) {
  if (part == Part::Seeds) number_strokes();
  const int now = rowCount();
  if (part == Part::Seeds && now == rows_ + 1) {
    beginInsertRows({}, rows_, rows_);
    rows_ = now;
    endInsertRows();
    // A withdrawn stroke that returns to the middle looks like one more row at the end.
    emit dataChanged(index(0, 0), index(now - 1, ColumnCount - 1));
  } else if (part == Part::Seeds || part == Part::Labels) {
    beginResetModel();
    rows_ = now;
    endResetModel();
  }
}

}  // namespace seedwave::ui
