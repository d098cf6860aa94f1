// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace seedwave::ui {

/// Returns the label of a list in the operation panel. All have the same width, so that the lists
/// are aligned; a longer text takes the space that it needs.
[[nodiscard]] QLabel* make_row_label(const QString& text, QWidget* parent);

}  // namespace seedwave::ui
