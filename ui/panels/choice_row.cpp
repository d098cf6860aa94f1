// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/choice_row.h"

#include "ui/models/parameter_words.h"
#include "ui/panels/narrow_list.h"
#include "ui/panels/reset_button.h"
#include "ui/panels/row_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace seedwave::ui {

ChoiceRow::ChoiceRow(const Parameter& parameter, const Geometry& grid, QWidget* parent)
    : QWidget(parent), parameter_(parameter), image_is_2d_(grid.is_2d()) {
  const QString title = QString::fromStdString(parameter_.title);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* label = make_row_label(title, this);
  layout->addWidget(label);
  list_ = new QComboBox(this);
  list_->setObjectName(QString::fromStdString(parameter_.id + "_choice"));
  list_->setAccessibleName(title);
  list_->setToolTip(QString::fromStdString(parameter_.help));
  make_narrow(*list_, 8);
  for (const Choice& choice : *parameter_.choices()) {
    const QString name = title_on(choice, grid);
    if (!name.isEmpty()) list_->addItem(name, QString::fromStdString(choice.id));
  }
  // A single option is no choice, but it is shown.
  list_->setEnabled(list_->count() > 1);
  if (list_->count() == 1)
    list_->setToolTip(tr("%1\nThe only option for this image").arg(list_->toolTip()));
  label->setBuddy(list_);
  label->setToolTip(list_->toolTip());
  reset_ = make_reset_button(title, this);
  layout->addWidget(reset_);
  layout->addWidget(list_, 1);  // last: aligns its right edge with the fields of the other rows
  connect(reset_, &QToolButton::clicked, this, &ChoiceRow::reset);
  connect(list_, &QComboBox::activated, this,
          [this] { emit changed(list_->currentData().toString().toStdString()); });
}

void ChoiceRow::show_value(const std::optional<Value>& set) {
  reset_->setVisible(set.has_value());
  const Value value = set.value_or(initial_value(parameter_, image_is_2d_));
  const auto* id = std::get_if<std::string>(&value);
  if (id == nullptr) return;
  const QSignalBlocker block(list_);
  // An option that is not offered here is equivalent to the one that is.
  list_->setCurrentIndex(std::max(0, list_->findData(QString::fromStdString(*id))));
}

}  // namespace seedwave::ui
