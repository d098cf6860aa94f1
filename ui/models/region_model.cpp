// SPDX-License-Identifier: Apache-2.0
#include "ui/models/region_model.h"

#include "core/image/length_scale.h"

#include <QColor>
#include <QLocale>

namespace seedwave::ui {

RegionModel::RegionModel(Workbench& workbench, QObject* parent)
    : QAbstractTableModel(parent), workbench_(workbench) {
  connect(&workbench_, &Workbench::image_changed, this, &RegionModel::reset);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Regions) reset();
    if (part == Part::Labels && rowCount() > 0)
      emit dataChanged(index(0, Class), index(rowCount() - 1, Class));
  });
}

void RegionModel::reset() {
  beginResetModel();
  shown_ = workbench_.document().regions;
  endResetModel();
}

QString region_title(const Workbench& workbench, const Region& region) {
  const QString of_class =
      region.label == 0 ? RegionModel::tr("no class") : workbench.label_name(region.label);
  return region.name.empty()
             ? of_class
             : RegionModel::tr("%1 (%2)").arg(QString::fromStdString(region.name), of_class);
}

int RegionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int RegionModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant RegionModel::data(const QModelIndex& index, int role) const {
  const auto row = static_cast<std::size_t>(index.row());
  if (!index.isValid() || row >= shown_.size()) return {};
  const Region& region = *shown_[row];
  if (role == Qt::DisplayRole && index.column() == Class)
    return tr("%1  %2").arg(row + 1).arg(region_title(workbench_, region));
  if (role == Qt::DisplayRole) {
    const double factor = length_scale(workbench_.image().geometry()).per_unit;
    const double area = area_of(region) * factor * factor;
    constexpr double kSquareMillimetre = 1e6;
    const bool is_large = workbench_.image().geometry().unit == LengthUnit::Micrometre &&
                          area >= kSquareMillimetre / 10.0;
    if (is_large) return tr("%1 mm²").arg(QLocale().toString(area / kSquareMillimetre, 'f', 2));
    constexpr double kFewest = 100.0;
    return QLocale().toString(area, 'f', area < kFewest ? 1 : 0);
  }
  if (role == Qt::EditRole && index.column() == Class) return QString::fromStdString(region.name);
  if (role == Qt::DecorationRole && index.column() == Class && region.label != 0) {
    const QString color = workbench_.label_color(region.label);
    if (!color.isEmpty()) return QColor(color);
  }
  if (role == Qt::TextAlignmentRole && index.column() != Class)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

Qt::ItemFlags RegionModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  return index.column() == Class ? flags | Qt::ItemIsEditable : flags;
}

bool RegionModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const auto row = static_cast<std::size_t>(index.row());
  if (role != Qt::EditRole || index.column() != Class || row >= shown_.size()) return false;
  Regions regions = shown_;
  Region named = *regions[row];
  named.name = value.toString().trimmed().toStdString();
  if (named.name == regions[row]->name) return false;
  regions[row] = std::make_shared<const Region>(std::move(named));
  // After the editor is gone: the rows are reset.
  QMetaObject::invokeMethod(
      this,
      [this, regions = std::move(regions)] {
        workbench_.steps().set_regions(regions, tr("name of a region"));
      },
      Qt::QueuedConnection);
  return true;
}

QVariant RegionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && section != Class)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == Area) return tr("Area of the region");
  if (role != Qt::DisplayRole) return {};
  if (section == Class) return tr("Region");
  const QString unit = QString::fromStdString(length_scale(workbench_.image().geometry()).symbol);
  // Not by arg(), which takes the superscript for a digit.
  return unit == QStringLiteral("px") ? unit : unit + QChar(0x00B2);
}

}  // namespace seedwave::ui
