// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/run_panel.h"

#include "ui/panels/list_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace seedwave::ui {

RunPanel::RunPanel(RunController& runs, RunModel& model, const RunActions& actions, QWidget* parent)
    : QWidget(parent), runs_(runs), model_(model), actions_(actions) {
  auto* layout = new QVBoxLayout(this);
  list_ =
      make_list_view(model_, QStringLiteral("runs"), tr("Runs"), RunModel::Changes, this,
                     tr("No runs yet. Every run is listed here and can be restored or compared."));
  wrap_column(*list_, RunModel::Changes);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
  list_->addActions({actions_.restore, actions_.pin, actions_.pin_curve, actions_.compare,
                     actions_.copy_command});
  layout->addWidget(list_, 1);

  auto* buttons = new QVBoxLayout;
  auto* pair = new QHBoxLayout;
  const auto button = [this](QBoxLayout* into, const QString& text, const QString& name,
                             const QString& tip) {
    auto* made = new QPushButton(text, this);
    made->setObjectName(name);
    made->setToolTip(tip);
    made->setAutoDefault(false);
    into->addWidget(made);
    return made;
  };
  restore_ = button(buttons, tr("Restore"), QStringLiteral("restore"),
                    tr("Restore (double-click): restore strokes, values and result of the run"));
  buttons->addLayout(pair);
  pin_ = button(pair, tr("Pin as A"), QStringLiteral("pin"),
                tr("Pin as A: later runs are compared with this one"));
  pin_curve_ = button(buttons, tr("Pin curve"), QStringLiteral("pin_curve"),
                      tr("Pin curve: keep it in the plot with those of later runs"));
  compare_ = button(pair, tr("Compare"), QStringLiteral("compare"), actions_.compare->toolTip());
  layout->addLayout(buttons);

  connect(list_, &QTreeView::doubleClicked, this,
          [this](const QModelIndex& index) { runs_.restore(model_.run_at(index.row())); });
  connect(restore_, &QPushButton::clicked, this, &RunPanel::restore);
  connect(pin_, &QPushButton::clicked, this, &RunPanel::pin);
  connect(pin_curve_, &QPushButton::clicked, this, &RunPanel::pin_curve);
  connect(compare_, &QPushButton::clicked, actions_.compare, &QAction::trigger);
  connect(actions_.compare, &QAction::changed, this, [this] {
    compare_->setEnabled(actions_.compare->isEnabled());
    compare_->setToolTip(actions_.compare->toolTip());
  });
  connect(actions_.restore, &QAction::triggered, this, &RunPanel::restore);
  connect(actions_.pin, &QAction::triggered, this, &RunPanel::pin);
  connect(actions_.pin_curve, &QAction::triggered, this, &RunPanel::pin_curve);
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &RunPanel::enable_buttons);
  connect(&model_, &QAbstractItemModel::modelReset, this, &RunPanel::enable_buttons);
  const auto show_columns = [this] {
    list_->setColumnHidden(RunModel::F1, !model_.has_object_scores());
  };
  connect(&model_, &QAbstractItemModel::modelReset, this, show_columns);
  connect(&model_, &QAbstractItemModel::dataChanged, this, show_columns);
  show_columns();
  enable_buttons();
}

std::vector<std::uint64_t> RunPanel::chosen() const {
  std::vector<std::uint64_t> ids;
  for (const QModelIndex& row : list_->selectionModel()->selectedRows())
    ids.push_back(model_.run_at(row.row()));
  return ids;
}

std::uint64_t RunPanel::current() const {
  const QModelIndexList rows = list_->selectionModel()->selectedRows();
  return rows.isEmpty() ? 0 : model_.run_at(rows.front().row());
}

void RunPanel::enable_buttons() {
  const auto selected = list_->selectionModel()->selectedRows().size();
  const Run* pinned = runs_.history().pinned();
  restore_->setEnabled(selected == 1);
  pin_->setEnabled(selected == 1);
  const bool is_pinned = selected == 1 && pinned != nullptr && pinned->id == current();
  pin_->setText(is_pinned ? tr("Unpin A") : tr("Pin as A"));
  actions_.restore->setEnabled(restore_->isEnabled());
  actions_.pin->setEnabled(pin_->isEnabled());
  actions_.pin->setText(is_pinned ? tr("Unpin the selected run") : tr("Pin the selected run as A"));
  const Run* chosen = selected == 1 ? runs_.history().find(current()) : nullptr;
  const bool has_curve = chosen != nullptr && !chosen->curves.empty();
  const bool stays = has_curve && chosen->curve_pinned;
  pin_curve_->setVisible(has_curve);
  pin_curve_->setText(stays ? tr("Unpin curve") : tr("Pin curve"));
  actions_.pin_curve->setEnabled(has_curve);
  actions_.pin_curve->setText(stays ? tr("Unpin the curve of the selected run")
                                    : tr("Pin the curve of the selected run"));
  emit choice_changed();
}

void RunPanel::restore() {
  runs_.restore(current());
}

void RunPanel::pin() {
  const Run* pinned = runs_.history().pinned();
  runs_.history().pin(pinned != nullptr && pinned->id == current() ? 0 : current());
}

void RunPanel::pin_curve() {
  if (const Run* chosen = runs_.history().find(current()))
    runs_.history().pin_curve(chosen->id, !chosen->curve_pinned);
}

}  // namespace seedwave::ui
