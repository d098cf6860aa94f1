// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/row_label.h"

#include <QCoreApplication>
#include <QLabel>

namespace seedwave::ui {

QLabel* make_row_label(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  // The longest label of most operations.
  const QString longest = QCoreApplication::translate("OperationPanel", "Algorithm");
  label->setMinimumWidth(label->fontMetrics().horizontalAdvance(longest));
  return label;
}

}  // namespace seedwave::ui
