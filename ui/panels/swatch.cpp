// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/swatch.h"

#include <QPainter>
#include <QPixmap>

namespace seedwave::ui {

QIcon swatch(const QColor& color) {
  constexpr int kSide = 32;
  QPixmap pixmap(kSide, kSide);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(QColor(0x40, 0x40, 0x40), 2));
  painter.setBrush(color);
  painter.drawRoundedRect(QRectF(2, 2, kSide - 4, kSide - 4), 4, 4);
  painter.end();
  QIcon icon(pixmap);
  for (const QIcon::Mode mode : {QIcon::Selected, QIcon::Active, QIcon::Disabled}) {
    icon.addPixmap(pixmap, mode);
  }
  return icon;
}

void SwatchDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const QVariant decoration = index.data(Qt::DecorationRole);
  if (decoration.canConvert<QColor>()) option->icon = swatch(decoration.value<QColor>());
}

}  // namespace seedwave::ui
