// SPDX-License-Identifier: Apache-2.0
#include "ui/models/object_model.h"

#include "core/base/error.h"
#include "core/ops/grid_size.h"
#include "ui/models/label_size.h"

#include <QColor>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace seedwave::ui {

ObjectModel::ObjectModel(const Workbench& workbench, const DisplayedResult& result, QObject* parent)
    : QAbstractTableModel(parent), workbench_(workbench), result_(result) {
  connect(&result_, &DisplayedResult::changed, this, &ObjectModel::find);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    // Names and colours.
    if (part == Part::Labels && !rows_.empty())
      emit dataChanged(index(0, kName), index(rowCount() - 1, kName));
    if (part == Part::Stains) find();
  });
}

void ObjectModel::watch(bool watched) {
  if (watched == is_watched_) return;
  is_watched_ = watched;
  if (watched) {
    find();
  } else {
    finding_.cancel();
    arranging_.cancel();
  }
}

void ObjectModel::find() {
  if (!is_watched_) return;
  const LabelMap labels = result_.result().labels;
  if (labels.empty()) {
    finding_.cancel();
    arranging_.cancel();
    show(std::make_shared<const ObjectList>(), {});
    return;
  }
  const std::vector<std::string>& own_stains = workbench_.document().own_channels;
  const bool is_listed =
      labels.owner() == list_->labels().owner() && own_stains == list_->own_stains();
  if (is_listed && !finding_.busy()) {
    arrange();  // an arrangement may have been stopped
    return;
  }
  arranging_.cancel();
  first_.clear();
  finding_.start([this, labels, are_numbered = result_.has_objects(), image = workbench_.image(),
                  own_stains, filter = filter_, sorted_by = sorted_by_,
                  falls = falls_](Context& context) -> BackgroundTask::Delivery {
    const auto list =
        std::make_shared<const ObjectList>(labels, are_numbered, image, own_stains, context);
    const auto arrangement =
        std::make_shared<Arrangement>(arrangement_of(*list, filter, sorted_by, falls, {}, context));
    return [this, list, arrangement, filter, sorted_by, falls] {
      show(list, std::move(*arrangement));
      // The user may have asked for another order since.
      if (filter != filter_ || sorted_by != sorted_by_ || falls != falls_) arrange();
    };
  });
}

void ObjectModel::arrange() {
  if (finding_.busy()) return;  // its delivery does
  arranging_.start([this, list = list_, filter = filter_, sorted_by = sorted_by_, falls = falls_,
                    first = first_](Context& context) -> BackgroundTask::Delivery {
    const auto arrangement = std::make_shared<Arrangement>(
        arrangement_of(*list, filter, sorted_by, falls, first, context));
    return [this, list, arrangement] { show(list, std::move(*arrangement)); };
  });
}

ObjectModel::Arrangement ObjectModel::arrangement_of(const ObjectList& list, const QString& filter,
                                                     const std::string& sorted_by, bool falls,
                                                     std::vector<bool> first, Context& context) {
  Arrangement result;
  result.order.falls = falls;
  result.order.first = std::move(first);
  try {
    result.order.filter = parse_object_filter(filter.toStdString(), list);
  } catch (const UsageError& error) {
    result.refusal = QString::fromUtf8(error.what());
  }
  if (const auto column = list.find_column(sorted_by))
    result.order.column = static_cast<int>(*column);
  result.objects = ordered_objects(list, result.order, context);
  result.rows.assign(list.objects().size(), -1);
  for (std::size_t row = 0; row < result.objects.size(); ++row)
    result.rows[static_cast<std::size_t>(result.objects[row])] = static_cast<std::int32_t>(row);
  return result;
}

void ObjectModel::show(std::shared_ptr<const ObjectList> list, Arrangement arrangement) {
  const bool is_new = list != list_;
  if (is_new) first_.clear();  // it is of the old list
  beginResetModel();
  list_ = std::move(list);
  order_ = std::move(arrangement.order);
  rows_ = std::move(arrangement.objects);
  row_of_ = std::move(arrangement.rows);
  if (is_new) median_ = object_size(list_->median_voxels());
  endResetModel();
  emit filter_read(arrangement.refusal);
  if (is_new) {
    emit listed();
  } else {
    emit arranged();
  }
}

void ObjectModel::set_filter(const QString& text) {
  if (text == filter_) return;
  filter_ = text;
  arrange();
}

void ObjectModel::put_first(const std::vector<std::int32_t>& objects) {
  first_.assign(objects.empty() ? 0 : list_->objects().size(), false);
  for (const std::int32_t object : objects)
    first_[static_cast<std::size_t>(object)] = true;
  arrange();
}

void ObjectModel::sort(int column, Qt::SortOrder order) {
  const auto wanted = list_column(column);
  // Names are sorted by their numbers.
  const std::string id = wanted            ? list_->columns()[*wanted].column.spec.id
                         : column == kName ? "label"
                                           : "";
  const bool falls = order == Qt::DescendingOrder;
  if (id == sorted_by_ && falls == falls_) return;
  sorted_by_ = id;
  falls_ = falls;
  arrange();
}

std::optional<std::size_t> ObjectModel::list_column(int column) const {
  // The first two are the number of a row, and the label behind the name.
  constexpr int kLeftOut = 2;
  if (column <= kName || column >= columnCount()) return std::nullopt;
  return static_cast<std::size_t>(column - 1 + kLeftOut);
}

int ObjectModel::column_of(std::string_view id) const {
  for (int column = kName + 1; column < columnCount(); ++column) {
    if (list_->columns()[*list_column(column)].column.spec.id == id) return column;
  }
  return -1;
}

std::size_t ObjectModel::object_in(int row) const {
  return static_cast<std::size_t>(rows_.at(static_cast<std::size_t>(row)));
}

int ObjectModel::row_of(std::size_t object) const {
  return object < row_of_.size() ? row_of_[object] : -1;
}

QString ObjectModel::summary() const {
  if (list_->objects().empty()) return {};
  const auto all = static_cast<int>(list_->objects().size());
  if (has_filter()) return tr("%L1 of %Ln object(s)", nullptr, all).arg(rowCount());
  return tr("%Ln object(s), median %1 %2", nullptr, all).arg(median_, size_unit(list_->grid()));
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
  if (parent.isValid()) return 0;
  return std::max(1, static_cast<int>(list_->columns().size()) - 1);
}

QString ObjectModel::number_text(std::size_t column, std::size_t object) const {
  const std::string& id = list_->columns()[column].column.spec.id;
  if (id == "size") return object_size(list_->objects()[object].voxels);
  const double number = list_->number(column, object);
  if (!std::isfinite(number)) return {};
  static const std::set<std::string, std::less<>> kPlaces{"x", "y", "z"};
  static const std::set<std::string, std::less<>> kCounts{
      "voxels", "left", "top", "front", "columns", "rows", "slices", "neighbours"};
  if (kPlaces.contains(id) || kCounts.contains(id)) return QLocale().toString(number, 'f', 0);
  const double size = std::abs(number);
  return QLocale().toString(number, 'f', size >= 100.0 ? 1 : size >= 10.0 ? 2 : 3);
}

QVariant ObjectModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const std::size_t at = object_in(index.row());
  const ConnectedPart& object = list_->objects()[at];
  const auto column = list_column(index.column());
  if (role == Qt::DisplayRole) {
    if (column) return number_text(*column, at);
    return list_->are_numbered() ? QString::number(object.label)
                                 : workbench_.label_name(object.label);
  }
  if (role == Qt::DecorationRole && !column && color_of_) return color_of_(object.label);
  if (role == Qt::TextAlignmentRole && column)
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QVariant ObjectModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
    return {};
  const auto column = list_column(section);
  if (!column) return list_->are_numbered() ? tr("Object") : tr("Label");
  // The panel is narrow: the unit is in the tooltip.
  return role == Qt::DisplayRole ? object_column_name(*list_, *column)
                                 : object_column_title(*list_, *column);
}

QString object_column_name(const ObjectList& list, std::size_t column) {
  const ColumnSpec& spec = list.columns()[column].column.spec;
  if (spec.id == "size")
    return list.grid().is_2d() ? ObjectModel::tr("Area") : ObjectModel::tr("Volume");
  return QString::fromStdString(spec.title);
}

QString object_column_title(const ObjectList& list, std::size_t column) {
  const QString unit = QString::fromStdString(list.columns()[column].unit.symbol);
  const QString name = object_column_name(list, column);
  return unit.isEmpty() ? name : ObjectModel::tr("%1 in %2").arg(name, unit);
}

}  // namespace seedwave::ui
