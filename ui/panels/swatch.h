// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>
#include <QStyledItemDelegate>

namespace seedwave::ui {

/// A square of a label's colour with a thin rim; selecting its row does not tint it.
[[nodiscard]] QIcon swatch(const QColor& color);

/// Draws the colour that a model gives as decoration as such a square.
class SwatchDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace seedwave::ui
