// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/elided_label.h"

#include <QPainter>

#include <algorithm>

namespace seedwave::ui {

ElidedLabel::ElidedLabel(const QString& widest, QWidget* parent) : QLabel(parent), widest_(widest) {
  setTextFormat(Qt::PlainText);
}

QSize ElidedLabel::sizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  return {std::max(metrics.horizontalAdvance(widest_), metrics.horizontalAdvance(text())) + 1,
          metrics.height()};
}

QSize ElidedLabel::minimumSizeHint() const {
  return {0, fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(
      palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
  painter.drawText(rect(), static_cast<int>(alignment()) | Qt::TextSingleLine,
                   fontMetrics().elidedText(text(), Qt::ElideMiddle, width()));
}

}  // namespace seedwave::ui
