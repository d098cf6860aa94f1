// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/object_panel.h"

#include "ui/panels/action_button.h"
#include "ui/panels/object_columns.h"
#include "ui/panels/object_plot_panel.h"
#include "ui/panels/swatch.h"

#include <QAction>
#include <QGridLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSplitter>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cstddef>

namespace seedwave::ui {

ObjectPanel::ObjectPanel(ObjectModel& model, QAction* save, QWidget* parent)
    : QWidget(parent), model_(model), save_(save) {
  auto* layout = new QGridLayout(this);
  build_filter();
  columns_ = new ObjectColumns(model_, this);
  build_table();
  plot_ = new ObjectPlotPanel(model_, this);
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->addWidget(table_);
  splitter->addWidget(plot_);
  splitter->setStretchFactor(0, 1);
  constexpr int kButtons = 3;
  layout->addWidget(filter_, 0, 0, 1, kButtons);
  layout->addWidget(filter_error_, 1, 0, 1, kButtons);
  layout->addWidget(splitter, 2, 0, 1, kButtons);
  summary_ = new QLabel(this);
  summary_->setObjectName(QStringLiteral("objects_summary"));
  summary_->setWordWrap(true);  // the panel may be narrow
  layout->addWidget(summary_, 3, 0, 1, kButtons);
  layout->addWidget(columns_button(), 4, 0);
  layout->addWidget(plot_button(), 4, 1);
  layout->addWidget(make_short_action_button(save_, tr("Save…"), this), 4, 2);
  layout->setRowStretch(2, 1);
  follow_model();
  refresh();
}

QToolButton* ObjectPanel::columns_button() {
  auto* button = new QToolButton(this);
  button->setObjectName(QStringLiteral("object_columns"));
  button->setText(tr("Columns"));
  button->setToolTip(tr("Choose the columns of the table"));
  button->setMenu(columns_);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  return button;
}

/// The plot takes the room of the table in a low panel: the user decides, and the choice is stored.
QToolButton* ObjectPanel::plot_button() {
  auto* button = new QToolButton(this);
  button->setObjectName(QStringLiteral("object_plot_button"));
  button->setText(tr("Plot"));
  button->setToolTip(tr("Show a histogram or scatter plot of the objects"));
  button->setCheckable(true);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  const auto setting = QStringLiteral("objects/plot");
  button->setChecked(QSettings().value(setting, false).toBool());
  plot_->setVisible(button->isChecked());
  connect(button, &QToolButton::toggled, this, [this, setting](bool shown) {
    QSettings().setValue(setting, shown);
    plot_->setVisible(shown);
  });
  return button;
}

void ObjectPanel::build_filter() {
  filter_ = new QLineEdit(this);
  filter_->setObjectName(QStringLiteral("object_filter"));
  filter_->setAccessibleName(tr("Filter of the objects"));
  filter_->setPlaceholderText(tr("Filter: area > 30 and circularity < 0.8"));
  filter_->setToolTip(
      tr("Show only objects for which all conditions hold. Name any column; compare with <, <=, >, "
         ">=, = or !=; join conditions by \"and\"."));
  filter_->setClearButtonEnabled(true);
  filter_error_ = new QLabel(this);
  filter_error_->setObjectName(QStringLiteral("object_filter_error"));
  filter_error_->setWordWrap(true);
  filter_error_->hide();
  // A word is not understood before it is complete.
  auto* pause = new QTimer(this);
  constexpr int kPauseMs = 300;
  pause->setInterval(kPauseMs);
  pause->setSingleShot(true);
  connect(filter_, &QLineEdit::textChanged, pause, qOverload<>(&QTimer::start));
  connect(filter_, &QLineEdit::returnPressed, pause, [this, pause] {
    pause->stop();
    model_.set_filter(filter_->text());
  });
  connect(pause, &QTimer::timeout, this, [this] { model_.set_filter(filter_->text()); });
  connect(&model_, &ObjectModel::filter_read, this, [this](const QString& error) {
    filter_error_->setText(error);
    filter_error_->setVisible(!error.isEmpty());
  });
}

void ObjectPanel::build_table() {
  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("objects"));
  table_->setAccessibleName(tr("Objects"));
  table_->setModel(&model_);
  table_->setItemDelegateForColumn(ObjectModel::kName, new SwatchDelegate(table_));
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
  QHeaderView* header = table_->horizontalHeader();
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setResizeContentsPrecision(0);  // of visible rows
  header->setHighlightSections(false);
  header->setSortIndicator(-1, Qt::AscendingOrder);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(header, &QWidget::customContextMenuRequested, this,
          [this, header](const QPoint& at) { columns_->popup(header->mapToGlobal(at)); });
  connect(columns_, &ObjectColumns::changed, this, &ObjectPanel::show_columns);
  table_->setSortingEnabled(true);
}

void ObjectPanel::follow_model() {
  connect(&model_, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
    kept_.clear();
    for (const int row : selected_rows())
      kept_.push_back(static_cast<std::int32_t>(model_.object_in(row)));
  });
  connect(&model_, &QAbstractItemModel::modelReset, this, &ObjectPanel::refresh);
  connect(&model_, &ObjectModel::arranged, this, &ObjectPanel::restore_selection);
  connect(&model_, &ObjectModel::listed, this, [this] {
    chosen_.clear();
    kept_.clear();
    report_selection();
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (restoring_) return;
    chosen_.clear();
    model_.forget_first();
    report_selection();
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) {
            if (index.isValid() && !restoring_) emit object_chosen(index.row());
          });
  connect(table_, &QTableView::activated, this,
          [this](const QModelIndex& index) { emit activated(index.row()); });
  connect(plot_, &ObjectPlotPanel::chosen, this, &ObjectPanel::choose);
}

void ObjectPanel::refresh() {
  show_summary(0);
  save_->setEnabled(model_.rowCount() > 0);
  show_columns();
}

void ObjectPanel::show_summary(std::size_t selected) {
  if (model_.list()->objects().empty()) {
    summary_->setText(tr("The result on screen has no objects."));
  } else if (selected < 2) {
    summary_->setText(model_.summary());
  } else {
    summary_->setText(tr("%1; %L2 selected").arg(model_.summary()).arg(selected));
  }
}

void ObjectPanel::show_columns() {
  for (int column = 0; column < model_.columnCount(); ++column)
    table_->setColumnHidden(column, !columns_->is_shown(column));
}

void ObjectPanel::report_selection() {
  const std::vector<int> rows = selected_rows();
  show_summary(rows.size());
  plot_->show_chosen(rows);
  emit selection_changed(rows);
}

void ObjectPanel::choose(const std::vector<std::int32_t>& objects) {
  if (objects.empty()) {
    table_->clearSelection();
    return;
  }
  chosen_ = objects;
  model_.put_first(objects);
}

/// Selects the same objects as before: many at once stand in the first rows, because a selection of
/// scattered rows takes time that grows with the square of their number.
void ObjectPanel::restore_selection() {
  const std::vector<std::int32_t>& wanted = chosen_.empty() ? kept_ : chosen_;
  const QItemSelection selection = rows_of(wanted);
  constexpr qsizetype kMostRanges = 1000;
  if (selection.size() > kMostRanges) {
    choose(std::vector<std::int32_t>(wanted));
    return;
  }
  restoring_ = true;
  table_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  restoring_ = false;
  if (!chosen_.empty()) table_->scrollToTop();
  report_selection();
}

/// Returns the rows of those objects that are listed, as few ranges as possible.
QItemSelection ObjectPanel::rows_of(const std::vector<std::int32_t>& objects) const {
  std::vector<int> rows;
  for (const std::int32_t object : objects) {
    const int row = model_.row_of(static_cast<std::size_t>(object));
    if (row >= 0) rows.push_back(row);
  }
  std::ranges::sort(rows);
  QItemSelection selection;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end] - rows[begin] == static_cast<int>(end - begin))
      ++end;
    selection.append(QItemSelectionRange(model_.index(rows[begin], 0),
                                         model_.index(rows[end - 1], model_.columnCount() - 1)));
  }
  return selection;
}

void ObjectPanel::select(int row) {
  const QSignalBlocker block(this);  // the picture stays as it is
  table_->selectRow(row);
  table_->scrollTo(model_.index(row, 0));
}

std::vector<int> ObjectPanel::selected_rows() const {
  std::vector<int> rows;
  for (const QItemSelectionRange& range : table_->selectionModel()->selection()) {
    for (int row = range.top(); row <= range.bottom(); ++row)
      rows.push_back(row);
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void ObjectPanel::set_seen(bool seen) {
  model_.watch(seen);
  emit selection_changed(seen ? selected_rows() : std::vector<int>());
}

}  // namespace seedwave::ui
