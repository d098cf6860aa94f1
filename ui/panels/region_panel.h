// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/region_model.h"

#include <QWidget>

#include <cstddef>
#include <vector>

class QAction;
class QTreeView;

namespace seedwave::ui {

/// The actions of the panel, which other parts of the window share.
struct RegionActions {
  QAction* draw = nullptr;
  QAction* keep = nullptr;
  QAction* work_on = nullptr;
  QAction* remove = nullptr;
};

/// The regions of a 2-D image: areas that are kept whatever is run.
class RegionPanel : public QWidget {
  Q_OBJECT

 public:
  /// `model` must outlive this.
  RegionPanel(RegionModel& model, const RegionActions& actions, QWidget* parent = nullptr);

  [[nodiscard]] std::vector<std::size_t> selected_rows() const;
  /// Selects a region alone, and brings it into sight.
  void select(std::size_t row);

 signals:
  /// The rows selected now; none after a change of their number.
  void selection_changed(const std::vector<std::size_t>& rows);
  /// A region was activated by a double click or Return.
  void activated(std::size_t row);

 private:
  void select_rows(const std::vector<std::size_t>& rows);

  struct List {
    int count = 0;
    std::vector<std::size_t> chosen{};
  };
  QTreeView* list_ = nullptr;
  List before_reset_;
};

}  // namespace seedwave::ui
