// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QToolButton;
class QWidget;

namespace seedwave::ui {

/// Returns the dot at the end of a parameter's row. It is visible if the user changed the value,
/// and resets it. It reserves its space while hidden, so that rows are aligned.
[[nodiscard]] QToolButton* make_reset_button(const QString& title, QWidget* parent);

}  // namespace seedwave::ui
