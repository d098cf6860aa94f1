// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/direction_row.h"

#include "core/ops/direction_text.h"
#include "ui/panels/axis_fields.h"

#include <QDoubleSpinBox>
#include <QSignalBlocker>
#include <QToolButton>

namespace seedwave::ui {

namespace {

constexpr double kMost = 1000.0;
constexpr double kStep = 0.1;

}  // namespace

DirectionRow::DirectionRow(const Parameter& parameter, QWidget* parent)
    : QWidget(parent), parameter_(parameter) {
  AxisFields fields(parameter_, this);
  reset_ = fields.reset();
  connect(reset_, &QToolButton::clicked, this, &DirectionRow::reset);
  for (int axis = 0; axis < 3; ++axis) {
    auto* field = fields.add<QDoubleSpinBox>(axis);
    field->setRange(-kMost, kMost);
    field->setSingleStep(kStep);
    field->setDecimals(3);
    connect(field, &QDoubleSpinBox::valueChanged, this, &DirectionRow::on_typed);
    fields_[axis] = field;
  }
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
  // Between two axes all three may be 0 for a moment; the next number completes the direction.
  if (typed != Vec3{0.0, 0.0, 0.0}) emit changed(direction_text(typed));
}

}  // namespace seedwave::ui
