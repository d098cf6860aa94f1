// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/direction_row.h"

#include "core/ops/direction_text.h"
#include "ui/panels/reset_button.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

namespace seedwave::ui {

namespace {

constexpr double kMost = 1000.0;
constexpr double kStep = 0.1;

}  // namespace

DirectionRow::DirectionRow(const Parameter& parameter, QWidget* parent)
    : QWidget(parent), parameter_(parameter) {
  const QString title = QString::fromStdString(parameter_.title);
  const QString help = QString::fromStdString(parameter_.help);
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setVerticalSpacing(2);
  auto* label = new QLabel(title, this);
  label->setToolTip(help);
  layout->addWidget(label, 0, 0, 1, 2);
  reset_ = make_reset_button(title, this);
  layout->addWidget(reset_, 0, 2, Qt::AlignRight);
  connect(reset_, &QToolButton::clicked, this, &DirectionRow::reset);
  const std::array names{QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("z")};
  for (int axis = 0; axis < 3; ++axis) {
    auto* field = new QDoubleSpinBox(this);
    field->setObjectName(QString::fromStdString(parameter_.id) + QStringLiteral("_value_") +
                         names[axis]);
    field->setAccessibleName(tr("%1, %2").arg(title, names[axis]));
    field->setToolTip(help);
    field->setPrefix(names[axis] + QLatin1Char(' '));
    field->setRange(-kMost, kMost);
    field->setSingleStep(kStep);
    field->setDecimals(3);
    field->setKeyboardTracking(false);
    layout->addWidget(field, 1, axis);
    layout->setColumnStretch(axis, 1);
    connect(field, &QDoubleSpinBox::valueChanged, this, &DirectionRow::on_typed);
    fields_[axis] = field;
  }
  label->setBuddy(fields_[0]);
}

void DirectionRow::show_value(const std::optional<Value>& set) {
  reset_->setVisible(set.has_value());
  const Value value = set.value_or(parameter_.initial);
  const auto* text = std::get_if<std::string>(&value);
  const auto direction = text == nullptr ? std::nullopt : parse_direction(*text);
  if (!direction) return;
  for (int axis = 0; axis < 3; ++axis) {
    const QSignalBlocker block(fields_[axis]);
    fields_[axis]->setValue((*direction)[axis]);
  }
}

void DirectionRow::on_typed() {
  const Vec3 typed{fields_[0]->value(), fields_[1]->value(), fields_[2]->value()};
  // On the way from one axis to another all three may be 0: the next number makes it a direction.
  if (typed != Vec3{0.0, 0.0, 0.0}) emit changed(direction_text(typed));
}

}  // namespace seedwave::ui
