// SPDX-License-Identifier: Apache-2.0
#include "ui/views/annotation_text.h"

#include <QPainter>

namespace seedwave::ui {

void draw_text(QPainter& painter, const QPointF& baseline, const QString& text,
               const QColor& color) {
  painter.setPen(kAnnotationHalo);
  for (const double dx : {-1.0, 0.0, 1.0}) {
    for (const double dy : {-1.0, 0.0, 1.0})
      painter.drawText(baseline + QPointF(dx, dy), text);
  }
  painter.setPen(color);
  painter.drawText(baseline, text);
}

}  // namespace seedwave::ui
