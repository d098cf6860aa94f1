// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/action_button.h"

#include <QAction>
#include <QToolButton>

namespace seedwave::ui {

QToolButton* make_action_button(QAction* action, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  return button;
}

QToolButton* make_short_action_button(QAction* action, const QString& text, QWidget* parent) {
  action->setIconText(text);
  QToolButton* button = make_action_button(action, parent);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  return button;
}

}  // namespace seedwave::ui
