// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace seedwave::ui {

/// What stands before a list in the operation's panel: all as wide, so that the lists begin under
/// each other; a longer text takes what it needs.
[[nodiscard]] QLabel* make_row_label(const QString& text, QWidget* parent);

}  // namespace seedwave::ui
