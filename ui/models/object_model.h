// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/object_list.h"
#include "ui/models/background_task.h"
#include "ui/models/displayed_result.h"
#include "ui/models/workbench.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace seedwave::ui {

/// The objects of the result on screen, with size and centre: the labels that an operation
/// numbered, or else the connected parts (by edges or faces) of each label.
///
/// They are found in the background, and only while somebody watches them.
class ObjectModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Size, X, Y, Z, ColumnCount };

  /// Both must outlive this.
  ObjectModel(const Workbench& workbench, const DisplayedResult& result, QObject* parent = nullptr);

  /// Finds the objects of the result and of each further one, or stops that.
  void watch(bool watched);
  [[nodiscard]] bool is_watched() const noexcept { return is_watched_; }

  /// Never null; any thread may read it.
  [[nodiscard]] const std::shared_ptr<const ObjectList>& list() const noexcept { return list_; }
  /// Returns the place in the list of the object in a row.
  [[nodiscard]] std::size_t object_in(int row) const;
  /// Returns the row of an object.
  [[nodiscard]] int row_of(std::size_t object) const;
  /// Returns the objects in the order on screen, as places in the list.
  [[nodiscard]] const std::vector<std::int32_t>& order() const noexcept { return rows_; }
  /// Returns a line such as "1,204 objects, median 35.1 µm²".
  [[nodiscard]] QString summary() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  void find();
  void show(std::shared_ptr<const ObjectList> list);
  void arrange();
  [[nodiscard]] QString object_size(std::int64_t voxels) const;
  [[nodiscard]] double key_of(const ConnectedPart& object) const;

  const Workbench& workbench_;
  const DisplayedResult& result_;
  bool is_watched_ = false;
  std::shared_ptr<const ObjectList> list_ = std::make_shared<const ObjectList>();
  std::vector<std::int32_t> rows_;  // objects in the order on screen
  int sorted_by_ = -1;              // -1: in the order of the list
  Qt::SortOrder order_ = Qt::AscendingOrder;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
