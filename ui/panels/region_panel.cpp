// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/region_panel.h"

#include "ui/panels/action_button.h"
#include "ui/panels/list_view.h"
#include "ui/panels/swatch.h"

#include <QAction>
#include <QGridLayout>
#include <QItemSelectionModel>
#include <QToolButton>
#include <QTreeView>

namespace seedwave::ui {

RegionPanel::RegionPanel(RegionModel& model, const RegionActions& actions, QWidget* parent)
    : QWidget(parent) {
  auto* layout = new QGridLayout(this);
  list_ = make_list_view(model, QStringLiteral("regions"), tr("Regions"), RegionModel::Class, this,
                         tr("No regions yet. Draw one around an area of an image, or keep a result "
                            "as regions: they stay whatever is run."));
  list_->setItemDelegateForColumn(0, new SwatchDelegate(list_));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setUniformRowHeights(true);
  list_->setEditTriggers(QAbstractItemView::EditKeyPressed);
  list_->setToolTip(tr("Double-click to go to a region; F2 to name it"));
  layout->addWidget(list_, 0, 0, 1, 2);
  layout->addWidget(make_short_action_button(actions.draw, tr("Draw"), this), 1, 0);
  layout->addWidget(make_short_action_button(actions.keep, tr("Keep result"), this), 1, 1);
  layout->addWidget(make_short_action_button(actions.work_on, tr("Work on it"), this), 2, 0);
  layout->addWidget(make_short_action_button(actions.remove, tr("Remove"), this), 2, 1);

  auto* remove = new QAction(tr("Remove"), list_);
  remove->setShortcut(QKeySequence(Qt::Key_Delete));
  remove->setShortcutContext(Qt::WidgetShortcut);
  list_->addAction(remove);
  connect(remove, &QAction::triggered, actions.remove, &QAction::trigger);
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          [this] { emit selection_changed(selected_rows()); });
  connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, [this, &model] {
    before_reset_ = {model.rowCount(), selected_rows()};
  });
  connect(&model, &QAbstractItemModel::modelReset, this, [this, &model] {
    // The same regions with another shape or class.
    if (model.rowCount() == before_reset_.count) select_rows(before_reset_.chosen);
    emit selection_changed(selected_rows());
  });
  connect(list_, &QTreeView::activated, this, [this](const QModelIndex& index) {
    emit activated(static_cast<std::size_t>(index.row()));
  });
}

void RegionPanel::select(std::size_t row) {
  const QModelIndex index = list_->model()->index(static_cast<int>(row), 0);
  list_->setCurrentIndex(index);
  list_->scrollTo(index);
}

void RegionPanel::select_rows(const std::vector<std::size_t>& rows) {
  QItemSelection chosen;
  for (const std::size_t row : rows) {
    const QModelIndex index = list_->model()->index(static_cast<int>(row), 0);
    chosen.select(index, index);
  }
  list_->selectionModel()->select(chosen, QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

std::vector<std::size_t> RegionPanel::selected_rows() const {
  std::vector<std::size_t> rows;
  for (const QModelIndex& index : list_->selectionModel()->selectedRows())
    rows.push_back(static_cast<std::size_t>(index.row()));
  return rows;
}

}  // namespace seedwave::ui
