// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/stroke_panel.h"

#include "ui/panels/list_view.h"
#include "ui/panels/swatch.h"

#include <QAction>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace seedwave::ui {

StrokePanel::StrokePanel(Workbench& workbench, StrokeModel& model, QAction* withdraw,
                         QWidget* parent)
    : QWidget(parent), workbench_(workbench), model_(model) {
  auto* layout = new QVBoxLayout(this);
  list_ = make_list_view(model_, QStringLiteral("strokes"), tr("Strokes"), StrokeModel::Label, this,
                         tr("No strokes yet. Every stroke is listed here and can be removed."));
  list_->setItemDelegateForColumn(0, new SwatchDelegate(list_));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  layout->addWidget(list_, 1);

  auto* button = new QPushButton(tr("Remove"), this);
  button->setObjectName(QStringLiteral("withdraw"));
  button->setAutoDefault(false);
  button->setToolTip(tr("Remove the selected strokes and update the result (Delete)"));
  const auto enable = [this, button, withdraw] {
    const bool chosen = list_->selectionModel()->hasSelection();
    button->setEnabled(chosen);
    withdraw->setEnabled(chosen);
    emit selection_changed(selected_rows());
  };
  enable();
  layout->addWidget(button);

  auto* remove = new QAction(tr("Remove"), list_);
  remove->setShortcut(QKeySequence(Qt::Key_Delete));
  remove->setShortcutContext(Qt::WidgetShortcut);
  list_->addAction(remove);
  connect(remove, &QAction::triggered, this, &StrokePanel::withdraw);
  connect(button, &QPushButton::clicked, this, &StrokePanel::withdraw);
  connect(withdraw, &QAction::triggered, this, &StrokePanel::withdraw);
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, enable);
  connect(&model_, &QAbstractItemModel::modelReset, this, enable);
  connect(list_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    const auto& strokes = workbench_.document().seeds.strokes;
    const auto row = static_cast<std::size_t>(index.row());
    if (row >= strokes.size()) return;
    const auto& points = strokes[row].points;
    emit stroke_chosen(points[points.size() / 2]);
  });
  connect(&model_, &QAbstractItemModel::rowsInserted, list_, &QTreeView::scrollToBottom);
}

std::vector<std::size_t> StrokePanel::selected_rows() const {
  std::vector<std::size_t> rows;
  for (const QModelIndex& index : list_->selectionModel()->selectedRows()) {
    rows.push_back(static_cast<std::size_t>(index.row()));
  }
  return rows;
}

void StrokePanel::withdraw() {
  workbench_.steps().withdraw_strokes(selected_rows());
}

}  // namespace seedwave::ui
