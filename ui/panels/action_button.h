// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QAction;
class QToolButton;
class QWidget;

namespace seedwave::ui {

/// Returns a button for an action, with icon and text, that shares a row with others.
[[nodiscard]] QToolButton* make_action_button(QAction* action, QWidget* parent);

/// As make_action_button(), with the short `text` only; the action's menu has the full title.
[[nodiscard]] QToolButton* make_short_action_button(QAction* action, const QString& text,
                                                    QWidget* parent);

}  // namespace seedwave::ui
