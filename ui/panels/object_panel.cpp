// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/object_panel.h"

#include "ui/panels/action_button.h"
#include "ui/panels/swatch.h"

#include <QAction>
#include <QGridLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QTableView>
#include <QToolButton>

namespace seedwave::ui {

ObjectPanel::ObjectPanel(ObjectModel& model, QAction* save, QWidget* parent)
    : QWidget(parent), model_(model), save_(save) {
  auto* layout = new QGridLayout(this);
  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("objects"));
  table_->setAccessibleName(tr("Objects"));
  table_->setModel(&model_);
  table_->setItemDelegateForColumn(ObjectModel::Name, new SwatchDelegate(table_));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setToolTip(
      tr("Click to go to an object, double-click to fill the view with it; click a "
         "column's title to sort"));
  // Rows of one height: a million of them are not measured one by one.
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setResizeContentsPrecision(0);  // of visible rows
  table_->horizontalHeader()->setSectionResizeMode(ObjectModel::Name, QHeaderView::Stretch);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  table_->setSortingEnabled(true);
  layout->addWidget(table_, 0, 0, 1, 2);
  summary_ = new QLabel(this);
  summary_->setObjectName(QStringLiteral("objects_summary"));
  summary_->setWordWrap(true);  // the panel may be narrow
  layout->addWidget(summary_, 1, 0);
  layout->addWidget(make_short_action_button(save_, tr("Save table…"), this), 1, 1, Qt::AlignRight);
  layout->setColumnStretch(0, 1);

  connect(&model_, &QAbstractItemModel::modelReset, this, [this] {
    refresh();
    emit selection_changed({});
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          [this] { emit selection_changed(selected_rows()); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) {
            if (index.isValid()) emit object_chosen(index.row());
          });
  connect(table_, &QTableView::activated, this,
          [this](const QModelIndex& index) { emit activated(index.row()); });
  refresh();
}

void ObjectPanel::refresh() {
  const bool has_objects = model_.rowCount() > 0;
  summary_->setText(has_objects ? model_.summary() : tr("The result on screen has no objects."));
  save_->setEnabled(has_objects);
  table_->setColumnHidden(ObjectModel::Z, model_.list()->grid().is_2d());
}

void ObjectPanel::select(int row) {
  const QSignalBlocker block(this);  // the picture stays as it is
  table_->selectRow(row);
  table_->scrollTo(model_.index(row, 0));
}

std::vector<int> ObjectPanel::selected_rows() const {
  std::vector<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows())
    rows.push_back(index.row());
  return rows;
}

void ObjectPanel::set_seen(bool seen) {
  model_.watch(seen);
  emit selection_changed(seen ? selected_rows() : std::vector<int>());
}

}  // namespace seedwave::ui
