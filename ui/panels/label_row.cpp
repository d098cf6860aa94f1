// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/label_row.h"

#include "ui/panels/reset_button.h"
#include "ui/panels/row_label.h"
#include "ui/panels/swatch.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <variant>

namespace seedwave::ui {

LabelRow::LabelRow(const Parameter& parameter, QWidget* parent)
    : QWidget(parent), parameter_(parameter), shown_(parameter.initial) {
  const QString title = QString::fromStdString(parameter_.title);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* label = make_row_label(title, this);
  layout->addWidget(label);
  reset_ = make_reset_button(title, this);
  layout->addWidget(reset_);
  list_ = new QComboBox(this);
  list_->setObjectName(QString::fromStdString(parameter_.id + "_label"));
  list_->setAccessibleName(title);
  list_->setToolTip(QString::fromStdString(parameter_.help));
  // Long names must not widen the dock.
  list_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list_->setMinimumContentsLength(8);
  layout->addWidget(list_, 1);
  label->setBuddy(list_);
  label->setToolTip(list_->toolTip());
  connect(reset_, &QToolButton::clicked, this, &LabelRow::reset);
  connect(list_, &QComboBox::activated, this, [this](int row) {
    const QVariant id = list_->itemData(row);
    emit changed(id.isValid() ? Value(id.toDouble()) : Value(parameter_.word));
  });
  fill();
}

void LabelRow::set_labels(const std::vector<LabelEntry>& labels) {
  if (labels == labels_) return;
  labels_ = labels;
  fill();
}

void LabelRow::show_value(const std::optional<Value>& set, const std::optional<Value>& stands_for) {
  reset_->setVisible(set.has_value());
  shown_ = set ? *set : stands_for.value_or(parameter_.initial);
  fill();
}

void LabelRow::fill() {
  const QSignalBlocker block(list_);
  list_->clear();
  const auto* number = std::get_if<double>(&shown_);
  for (const LabelEntry& entry : labels_) {
    list_->addItem(swatch(QColor(QString::fromStdString(entry.color))),
                   QString::fromStdString(entry.name), static_cast<double>(entry.id));
    if (number != nullptr && *number == entry.id) list_->setCurrentIndex(list_->count() - 1);
  }
  const bool known = number == nullptr ||
                     std::any_of(labels_.begin(), labels_.end(),
                                 [number](const LabelEntry& entry) { return entry.id == *number; });
  if (!known) {  // a session's label that has been removed since
    list_->addItem(tr("label %1 (removed)").arg(*number), *number);
    list_->setCurrentIndex(list_->count() - 1);
  }
  if (parameter_.word.empty()) return;
  list_->insertSeparator(list_->count());
  list_->addItem(tr("%1: each label its own").arg(QString::fromStdString(parameter_.word)));
  if (number == nullptr) list_->setCurrentIndex(list_->count() - 1);
}

}  // namespace seedwave::ui
