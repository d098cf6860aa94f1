// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QAction;
class QToolButton;
class QWidget;

namespace seedwave::ui {

/// A button of an action, with its icon and text, that shares a row with others.
[[nodiscard]] QToolButton* make_action_button(QAction* action, QWidget* parent);

/// The same with `text` alone: the action's in short; its menu says it in full.
[[nodiscard]] QToolButton* make_short_action_button(QAction* action, const QString& text,
                                                    QWidget* parent);

}  // namespace seedwave::ui
