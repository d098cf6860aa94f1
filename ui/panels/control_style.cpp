// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/control_style.h"

#include <QMenu>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

namespace {

QColor mixed(const QColor& a, const QColor& b, double share_of_b) {
  const auto part = [&](int x, int y) {
    return static_cast<int>(std::lround(x + (y - x) * share_of_b));
  };
  return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

QColor rim_color(const QPalette& palette) {
  return mixed(palette.color(QPalette::Window), palette.color(QPalette::WindowText), 0.55);
}

/// Returns a rectangle with its lines on whole pixels.
QRectF on_pixels(const QRect& rect) {
  return QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5);
}

void draw_box(const QStyleOption& option, QPainter& painter) {
  const bool on = (option.state & QStyle::State_On) != 0;
  const bool partly = (option.state & QStyle::State_NoChange) != 0;
  const QPalette& palette = option.palette;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const bool filled = on || partly;
  painter.setBrush(palette.color(filled ? QPalette::Highlight : QPalette::Base));
  painter.setPen(QPen(rim_color(palette), 1));
  const QRectF box = on_pixels(option.rect);
  painter.drawRoundedRect(box, 2, 2);
  const auto at = [&](double x, double y) {
    return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
  };
  painter.setPen(QPen(palette.color(QPalette::HighlightedText), std::max(1.6, box.width() / 7),
                      Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  if (on) {
    painter.drawPolyline(QPolygonF{at(0.22, 0.53), at(0.42, 0.73), at(0.78, 0.28)});
  } else if (partly) {
    painter.drawLine(at(0.25, 0.5), at(0.75, 0.5));
  }
  painter.restore();
}

void draw_button_that_is_on(const QStyleOption& option, QPainter& painter) {
  const QPalette& palette = option.palette;
  const QColor fill =
      mixed(palette.color(QPalette::Button), palette.color(QPalette::Highlight), 0.6);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush((option.state & QStyle::State_Sunken) != 0 ? fill.darker(115) : fill);
  painter.setPen(QPen(rim_color(palette), 1));
  painter.drawRoundedRect(on_pixels(option.rect), 2.5, 2.5);
  painter.restore();
}

}  // namespace

void ControlStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                 QPainter* painter, const QWidget* widget) const {
  // The icon of a checked menu entry is drawn on a pressed button.
  const bool in_menu = qobject_cast<const QMenu*>(widget) != nullptr;
  const bool on = (option->state & (in_menu ? State_On | State_Sunken : State_On)) != 0;
  if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck) {
    draw_box(*option, *painter);
  } else if (on && (element == PE_PanelButtonCommand || element == PE_PanelButtonTool)) {
    draw_button_that_is_on(*option, *painter);
  } else {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

}  // namespace seedwave::ui
