// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/choice_row.h"

#include "ui/panels/reset_button.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

namespace seedwave::ui {

ChoiceRow::ChoiceRow(const Parameter& parameter, bool image_is_2d, QWidget* parent)
    : QWidget(parent), parameter_(parameter), image_is_2d_(image_is_2d) {
  const QString title = QString::fromStdString(parameter_.title);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel(title, this);
  layout->addWidget(label);
  list_ = new QComboBox(this);
  list_->setObjectName(QString::fromStdString(parameter_.id + "_choice"));
  list_->setAccessibleName(title);
  list_->setToolTip(QString::fromStdString(parameter_.help));
  for (const Choice& choice : parameter_.choices) {
    const bool fits = choice.applies == Choice::Applies::Always ||
                      (choice.applies == Choice::Applies::Images) == image_is_2d_;
    if (fits) {
      list_->addItem(QString::fromStdString(choice.title), QString::fromStdString(choice.id));
    }
  }
  label->setBuddy(list_);
  label->setToolTip(list_->toolTip());
  reset_ = make_reset_button(title, this);
  layout->addWidget(reset_);
  layout->addWidget(list_, 1);  // last: its end stands under those of the other rows' fields
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
  list_->setCurrentIndex(list_->findData(QString::fromStdString(*id)));
}

}  // namespace seedwave::ui
