// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/axis_fields.h"

#include "ui/panels/reset_button.h"

#include <QAbstractSpinBox>
#include <QCoreApplication>
#include <QLabel>
#include <QToolButton>

namespace seedwave::ui {

AxisFields::AxisFields(const Parameter& parameter, QWidget* row)
    : row_(row),
      id_(QString::fromStdString(parameter.id)),
      title_(QString::fromStdString(parameter.title)),
      help_(QString::fromStdString(parameter.help)),
      layout_(new QGridLayout(row)),
      label_(new QLabel(title_, row)),
      reset_(make_reset_button(title_, row)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setVerticalSpacing(2);
  label_->setToolTip(help_);
  layout_->addWidget(label_, 0, 0, 1, 2);
  layout_->addWidget(reset_, 0, 2, Qt::AlignRight);
}

QString AxisFields::name(int axis) {
  return QString(QLatin1Char("xyz"[axis]));
}

void AxisFields::put(QAbstractSpinBox* field, int axis) {
  field->setObjectName(id_ + QStringLiteral("_value_") + name(axis));
  field->setAccessibleName(
      QCoreApplication::translate("AxisFields", "%1, %2").arg(title_, name(axis)));
  field->setToolTip(help_);
  field->setKeyboardTracking(false);
  // Narrower than its longest number: otherwise three fields would not fit into the dock.
  field->setMinimumWidth(field->fontMetrics().horizontalAdvance(QStringLiteral("x -0.000")) +
                         field->sizeHint().height());
  layout_->addWidget(field, 1, axis);
  layout_->setColumnStretch(axis, 1);
  if (axis == 0) label_->setBuddy(field);
}

}  // namespace seedwave::ui
