// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/label_row.h"

#include "ui/panels/label_list.h"
#include "ui/panels/reset_button.h"
#include "ui/panels/row_label.h"

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
  rows_ = new LabelList(LabelList::Numbers::Hidden, this);
  show_label_list(*rows_, 8, *list_);  // long names must not widen the dock
  layout->addWidget(list_, 1);
  label->setBuddy(list_);
  label->setToolTip(list_->toolTip());
  connect(reset_, &QToolButton::clicked, this, &LabelRow::reset);
  connect(list_, &QComboBox::activated, this, [this](int row) {
    const QVariant id = list_->itemData(row);
    emit changed(id.isValid() ? Value(id.toDouble()) : Value(parameter_.word()));
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
  const auto* number = std::get_if<double>(&shown_);
  const auto chosen = std::find_if(
      labels_.begin(), labels_.end(),
      [number](const LabelEntry& entry) { return number != nullptr && *number == entry.id; });
  std::vector<LabelList::OtherRow> others;
  if (number != nullptr &&
      chosen == labels_.end()) {  // a label of a session that has been removed since
    others.push_back({.text = tr("label %1 (removed)").arg(*number), .data = *number});
  }
  if (!parameter_.word().empty()) {
    others.push_back({});
    const QString word = QString::fromStdString(parameter_.word());
    others.push_back({.text = tr("%1: each label separately").arg(word), .data = {}});
  }
  rows_->set_rows(labels_, others);
  const auto place =
      static_cast<int>(chosen - labels_.begin());  // also the place of a removed label
  list_->setCurrentIndex(number == nullptr ? rows_->rowCount() - 1 : place);
}

}  // namespace seedwave::ui
