// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/reset_button.h"

#include <QCoreApplication>
#include <QToolButton>

namespace seedwave::ui {

QToolButton* make_reset_button(const QString& title, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(QStringLiteral("●"));
  button->setAutoRaise(true);
  button->setToolTip(
      QCoreApplication::translate("ParameterRow", "Changed: click to reset to the default"));
  button->setAccessibleName(QCoreApplication::translate("ParameterRow", "Reset %1").arg(title));
  QSizePolicy keep = button->sizePolicy();
  keep.setRetainSizeWhenHidden(true);
  button->setSizePolicy(keep);
  return button;
}

}  // namespace seedwave::ui
