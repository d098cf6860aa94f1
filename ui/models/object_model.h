// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/object_filter.h"
#include "core/engine/object_list.h"
#include "ui/models/background_task.h"
#include "ui/models/displayed_result.h"
#include "ui/models/workbench.h"

#include <QAbstractTableModel>
#include <QColor>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// The objects of the result on screen with all that was measured of them: the labels that an
/// operation numbered, or else the connected parts (by edges or faces) of each label.
///
/// They are found, filtered and sorted in the background, and only while somebody watches them.
class ObjectModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// The first column; the others are list_column().
  static constexpr int kName = 0;

  /// Both must outlive this.
  ObjectModel(const Workbench& workbench, const DisplayedResult& result, QObject* parent = nullptr);

  /// Sets the function that returns the colour of a label in the picture.
  void set_color_of(std::function<QColor(Label)> color_of) { color_of_ = std::move(color_of); }

  /// Finds the objects of the result and of each further one, or stops that.
  void watch(bool watched);
  [[nodiscard]] bool is_watched() const noexcept { return is_watched_; }

  /// Shows the objects that pass a filter (parse_object_filter()) alone. One that is not understood
  /// filters nothing.
  void set_filter(const QString& text);
  [[nodiscard]] bool has_filter() const noexcept { return !order_.filter.empty(); }
  /// Puts objects before all others. arranged() follows, with them in the first rows.
  void put_first(const std::vector<std::int32_t>& objects);
  /// Leaves them where they are until the next order.
  void forget_first() { first_.clear(); }

  /// Never null; any thread may read it.
  [[nodiscard]] const std::shared_ptr<const ObjectList>& list() const noexcept { return list_; }
  /// Returns the column of the list that a column shows; none for the name.
  [[nodiscard]] std::optional<std::size_t> list_column(int column) const;
  /// Returns the column of an id ("circularity"), or -1.
  [[nodiscard]] int column_of(std::string_view id) const;
  /// Returns the place in the list of the object in a row.
  [[nodiscard]] std::size_t object_in(int row) const;
  /// Returns the row of an object; -1 if the filter leaves it out.
  [[nodiscard]] int row_of(std::size_t object) const;
  /// Returns the objects in the order on screen, as places in the list.
  [[nodiscard]] const std::vector<std::int32_t>& order() const noexcept { return rows_; }
  /// Returns a line such as "1,204 objects, median 35.1 µm²", or "30 of 1,204 objects".
  [[nodiscard]] QString summary() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 signals:
  /// The model was reset: to other objects, or to another order of the same ones.
  void listed();
  void arranged();
  /// The filter's error, or an empty text.
  void filter_read(const QString& error);

 private:
  /// Objects in their order on screen, and what the filter was not understood for.
  struct Arrangement {
    ObjectOrder order;
    std::vector<std::int32_t> objects;
    std::vector<std::int32_t> rows;  // by object; -1: none
    QString refusal;
  };

  void find();
  void arrange();
  /// Returns the order that the user chose, as far as the list can have it.
  [[nodiscard]] static Arrangement arrangement_of(const ObjectList& list, const QString& filter,
                                                  const std::string& sorted_by, bool falls,
                                                  std::vector<bool> first, Context& context);
  void show(std::shared_ptr<const ObjectList> list, Arrangement arrangement);
  [[nodiscard]] QString object_size(std::int64_t voxels) const;
  [[nodiscard]] QString number_text(std::size_t column, std::size_t object) const;

  const Workbench& workbench_;
  std::function<QColor(Label)> color_of_;
  const DisplayedResult& result_;
  bool is_watched_ = false;
  std::shared_ptr<const ObjectList> list_ = std::make_shared<const ObjectList>();
  QString median_;
  std::vector<std::int32_t> rows_;  // objects in the order on screen
  std::vector<std::int32_t> row_of_;
  ObjectOrder order_;  // of rows_
  QString filter_;
  std::string sorted_by_;  // id of a column; empty: in the order of the list
  bool falls_ = false;
  std::vector<bool> first_;  // by object
  BackgroundTask finding_;
  BackgroundTask arranging_;
};

/// Returns the name of a column ("Area"), and the same with its unit ("Area in µm²").
[[nodiscard]] QString object_column_name(const ObjectList& list, std::size_t column);
[[nodiscard]] QString object_column_title(const ObjectList& list, std::size_t column);

}  // namespace seedwave::ui
