// SPDX-License-Identifier: Apache-2.0
#include "ui/views/place_mark.h"

#include "ui/views/annotation_text.h"

#include <QLineF>
#include <QPainter>

#include <array>

namespace seedwave::ui {

void draw_place_mark(QPainter& painter, const QPointF& place) {
  constexpr double kInner = 3.0;
  constexpr double kOuter = 10.0;
  std::array<QLineF, 4> arms;
  const std::array directions{QPointF(1, 0), QPointF(0, 1), QPointF(-1, 0), QPointF(0, -1)};
  for (std::size_t i = 0; i < arms.size(); ++i)
    arms[i] = {place + directions[i] * kInner, place + directions[i] * kOuter};
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& [color, width] : {std::pair(kAnnotationHalo, 4.5), {QColor(Qt::white), 2.0}}) {
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap));
    painter.drawLines(arms.data(), static_cast<int>(arms.size()));
  }
  painter.restore();
}

}  // namespace seedwave::ui
