// SPDX-License-Identifier: Apache-2.0
#include "ui/models/object_model.h"

#include "core/image/label_color.h"
#include "core/image/length_scale.h"
#include "core/ops/grid_size.h"
#include "ui/models/label_size.h"

#include <QColor>
#include <QLocale>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace seedwave::ui {

ObjectModel::ObjectModel(const Workbench& workbench, const DisplayedResult& result, QObject* parent)
    : QAbstractTableModel(parent), workbench_(workbench), result_(result) {
  connect(&result_, &DisplayedResult::changed, this, &ObjectModel::find);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    // Names and colours.
    if (part == Part::Labels && !rows_.empty())
      emit dataChanged(index(0, Name), index(rowCount() - 1, Name));
  });
}

void ObjectModel::watch(bool watched) {
  if (watched == is_watched_) return;
  is_watched_ = watched;
  if (watched) {
    find();
  } else {
    task_.cancel();
  }
}

void ObjectModel::find() {
  if (!is_watched_) return;
  const LabelMap labels = result_.result().labels;
  if (labels.empty()) {
    task_.cancel();
    show(std::make_shared<const ObjectList>());
    return;
  }
  if (labels.owner() == list_->labels().owner() && !task_.busy()) return;
  const bool are_numbered = result_.has_objects();
  task_.start([this, labels, are_numbered](Context& context) -> BackgroundTask::Delivery {
    return [this, list = std::make_shared<const ObjectList>(labels, are_numbered, context)] {
      show(list);
    };
  });
}

void ObjectModel::show(std::shared_ptr<const ObjectList> list) {
  beginResetModel();
  list_ = std::move(list);
  arrange();
  endResetModel();
}

/// Equal ones keep the order of the list.
void ObjectModel::arrange() {
  const std::vector<ConnectedPart>& objects = list_->objects();
  rows_.resize(objects.size());
  std::iota(rows_.begin(), rows_.end(), 0);
  if (sorted_by_ < 0) return;
  std::vector<double> keys(objects.size());
  std::ranges::transform(objects, keys.begin(),
                         [this](const ConnectedPart& object) { return key_of(object); });
  const bool falls = order_ == Qt::DescendingOrder;
  std::ranges::stable_sort(rows_, [&](std::int32_t a, std::int32_t b) {
    const double first = keys[static_cast<std::size_t>(a)];
    const double second = keys[static_cast<std::size_t>(b)];
    return falls ? first > second : first < second;
  });
}

double ObjectModel::key_of(const ConnectedPart& object) const {
  if (sorted_by_ == Name) return object.label;
  if (sorted_by_ == Size) return static_cast<double>(object.voxels);
  return list_->grid().to_world(object.centre())[static_cast<std::size_t>(sorted_by_ - X)];
}

void ObjectModel::sort(int column, Qt::SortOrder order) {
  if (column == sorted_by_ && order == order_) return;
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  std::vector<std::size_t> chosen;
  for (const QModelIndex& index : before)
    chosen.push_back(object_in(index.row()));
  sorted_by_ = column;
  order_ = order;
  arrange();
  QModelIndexList after;
  for (qsizetype i = 0; i < before.size(); ++i) {
    const int row = row_of(chosen[static_cast<std::size_t>(i)]);
    after.push_back(index(row, before[i].column()));
  }
  changePersistentIndexList(before, after);
  emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

std::size_t ObjectModel::object_in(int row) const {
  return static_cast<std::size_t>(rows_.at(static_cast<std::size_t>(row)));
}

int ObjectModel::row_of(std::size_t object) const {
  const auto found = std::ranges::find(rows_, static_cast<std::int32_t>(object));
  return static_cast<int>(found - rows_.begin());
}

QString ObjectModel::summary() const {
  if (rows_.empty()) return {};
  return tr("%Ln object(s), median %1 %2", nullptr, rowCount())
      .arg(object_size(list_->median_voxels()), size_unit(list_->grid()));
}

/// Specks in a volume are smaller than the tenth of a ml in which labels are given.
QString ObjectModel::object_size(std::int64_t voxels) const {
  const Geometry& grid = list_->grid();
  const double ml = static_cast<double>(voxels) * voxel_size(grid);
  if (grid.is_2d() || grid.unit == LengthUnit::Pixel || ml >= 1.0) return size_number(grid, voxels);
  return QLocale().toString(ml, 'f', 3);
}

int ObjectModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ObjectModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant ObjectModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const ConnectedPart& object = list_->objects()[object_in(index.row())];
  if (role == Qt::DisplayRole) {
    if (index.column() == Name)
      return list_->are_numbered() ? QString::number(object.label)
                                   : workbench_.label_name(object.label);
    if (index.column() == Size) return object_size(object.voxels);
    const auto axis = static_cast<std::size_t>(index.column() - X);
    const double place = list_->grid().to_world(object.centre())[axis];
    return QLocale().toString(place * length_scale(list_->grid()).per_unit, 'f', 0);
  }
  if (role == Qt::DecorationRole && index.column() == Name) {
    const LabelEntry* entry =
        list_->are_numbered() ? nullptr : workbench_.document().find_label(object.label);
    if (entry != nullptr) return QColor(QString::fromStdString(entry->color));
    const Rgb color = label_color(object.label);
    return QColor(color[0], color[1], color[2]);
  }
  if (role == Qt::TextAlignmentRole && index.column() != Name)
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QVariant ObjectModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
    return {};
  const bool is_short = role == Qt::DisplayRole;  // the panel is narrow
  const QString size = size_unit(list_->grid());
  const QString length = QString::fromStdString(length_scale(list_->grid()).symbol);
  switch (section) {
    case Name:
      return list_->are_numbered() ? tr("Object") : tr("Label");
    case Size:
      return is_short ? size : tr("Size in %1").arg(size);
    default:
      const QChar axis('x' + section - X);
      return is_short ? QString(axis) : tr("%1 of the centre in %2").arg(axis).arg(length);
  }
}

}  // namespace seedwave::ui
