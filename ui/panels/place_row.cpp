// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/place_row.h"

#include "core/ops/place_text.h"
#include "ui/panels/axis_fields.h"

#include <QAction>
#include <QCheckBox>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <limits>

namespace seedwave::ui {

namespace {

/// The value of a field while there is no place.
constexpr int kNowhere = -1;

int last_index(std::int64_t size) {
  return static_cast<int>(std::min<std::int64_t>(size, std::numeric_limits<int>::max()) - 1);
}

QCheckBox* box_for(QAction* action, QWidget* parent) {
  auto* box = new QCheckBox(action->text(), parent);
  box->setObjectName(QStringLiteral("follow_pointer"));
  box->setToolTip(action->toolTip());
  box->setChecked(action->isChecked());
  // The action acts when it is triggered, not when it is set.
  QObject::connect(box, &QCheckBox::clicked, action, &QAction::trigger);
  QObject::connect(action, &QAction::toggled, box, &QCheckBox::setChecked);
  return box;
}

}  // namespace

PlaceRow::PlaceRow(const Parameter& parameter, const Geometry& grid, QAction* pick, QAction* follow,
                   QWidget* parent)
    : QWidget(parent), parameter_(parameter) {
  AxisFields fields(parameter_, this);
  reset_ = fields.reset();
  connect(reset_, &QToolButton::clicked, this, &PlaceRow::reset);
  for (int axis = 0; axis < 2; ++axis) {
    auto* field = fields.add<QSpinBox>(axis);
    field->setRange(parameter_.word().empty() ? 0 : kNowhere, last_index(grid.size[axis]));
    if (!parameter_.word().empty())
      field->setSpecialValueText(AxisFields::name(axis) + QLatin1Char(' ') +
                                 QString::fromStdString(parameter_.word()));
    connect(field, &QSpinBox::valueChanged, this, [this, axis] { on_typed(axis); });
    fields_[axis] = field;
  }
  if (pick != nullptr) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(pick);
    button->setObjectName(QString::fromStdString(parameter_.id) + QStringLiteral("_pick"));
    button->setAccessibleName(
        tr("Pick %1 in the image").arg(QString::fromStdString(parameter_.title)));
    fields.layout()->addWidget(button, 1, 2);
  }
  if (follow != nullptr) fields.layout()->addWidget(box_for(follow, this), 2, 0, 1, 3);
}

void PlaceRow::show_value(const std::optional<Value>& set) {
  reset_->setVisible(set.has_value());
  const Value value = set.value_or(parameter_.initial);
  const auto* text = std::get_if<std::string>(&value);
  const auto place = text == nullptr ? std::nullopt : parse_place(*text);
  for (int axis = 0; axis < 2; ++axis) {
    const QSignalBlocker block(fields_[axis]);
    fields_[axis]->setValue(place ? static_cast<int>((*place)[axis]) : kNowhere);
  }
}

void PlaceRow::on_typed(int axis) {
  QSpinBox* const other = fields_[1 - axis];
  if (fields_[axis]->value() == kNowhere) {
    emit changed(parameter_.word());
    return;
  }
  // The first of two numbers is enough for a place.
  if (other->value() == kNowhere) {
    const QSignalBlocker block(other);
    other->setValue(0);
  }
  emit changed(place_text({fields_[0]->value(), fields_[1]->value()}));
}

}  // namespace seedwave::ui
