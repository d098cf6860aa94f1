// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>
#include <QStyledItemDelegate>

namespace seedwave::ui {

/// Returns a square of a label's colour with a thin outline; selecting its row does not tint it.
[[nodiscard]] QIcon swatch(const QColor& color);

/// Draws a model's decoration colour as such a square.
class SwatchDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace seedwave::ui
