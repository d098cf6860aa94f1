// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QToolButton;
class QWidget;

namespace seedwave::ui {

/// The dot at the end of a parameter's row: seen when the user changed the value, takes that back.
/// Keeps its place while hidden, so that rows stay in line.
[[nodiscard]] QToolButton* make_reset_button(const QString& title, QWidget* parent);

}  // namespace seedwave::ui
