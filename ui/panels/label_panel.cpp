// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/label_panel.h"

#include "ui/panels/list_view.h"
#include "ui/panels/swatch.h"

#include <QColorDialog>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeView>
#include <QVBoxLayout>

namespace seedwave::ui {

namespace {

QPushButton* small_button(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setToolTip(tip);
  button->setAutoDefault(false);
  return button;
}

}  // namespace

LabelPanel::LabelPanel(Workbench& workbench, LabelModel& model, QWidget* parent)
    : QWidget(parent), workbench_(workbench), model_(model) {
  auto* layout = new QVBoxLayout(this);
  list_ = make_list_view(model_, QStringLiteral("labels"), tr("Labels"), LabelModel::Name, this);
  list_->setItemDelegateForColumn(0, new SwatchDelegate(list_));
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  layout->addWidget(list_, 1);

  auto* buttons = new QHBoxLayout;
  auto* add = small_button(tr("Add"), tr("Add a label with its own colour"), this);
  auto* colour = small_button(tr("Colour…"), tr("Choose the colour of the label"), this);
  auto* remove =
      small_button(tr("Remove"), tr("Remove the label and its strokes; can be undone"), this);
  buttons->addWidget(add);
  buttons->addWidget(colour);
  buttons->addWidget(remove);
  layout->addLayout(buttons);

  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(list_, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
    const QModelIndex row = list_->indexAt(place);
    if (!row.isValid()) return;
    emit context_menu_requested(model_.label_at(row.row()), list_->viewport()->mapToGlobal(place));
  });
  connect(add, &QPushButton::clicked, this, [this] { workbench_.steps().add_label(); });
  connect(colour, &QPushButton::clicked, this, &LabelPanel::choose_colour);
  connect(remove, &QPushButton::clicked, this, &LabelPanel::remove_label);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) workbench_.set_current_label(model_.label_at(now.row()));
          });
  connect(&workbench_, &Workbench::current_label_changed, this, &LabelPanel::show_current);
  connect(&model_, &QAbstractItemModel::modelReset, this, &LabelPanel::show_current);
  show_current();
}

void LabelPanel::show_current() {
  const int row = model_.row_of(workbench_.document().current_label);
  if (row < 0) return;
  const QSignalBlocker block(list_->selectionModel());
  list_->setCurrentIndex(model_.index(row, LabelModel::Name));
  list_->viewport()->update();
}

void LabelPanel::choose_colour() {
  const LabelEntry* found = workbench_.document().find_label(workbench_.document().current_label);
  if (found == nullptr) return;
  LabelEntry entry = *found;
  const QColor colour =
      QColorDialog::getColor(QColor(QString::fromStdString(entry.color)), this,
                             tr("Colour of %1").arg(QString::fromStdString(entry.name)));
  if (!colour.isValid()) return;
  entry.color = colour.name().toStdString();
  workbench_.steps().change_label(entry);
}

void LabelPanel::remove_label() {
  workbench_.steps().remove_label(workbench_.document().current_label);
}

}  // namespace seedwave::ui
