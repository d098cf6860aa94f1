// SPDX-License-Identifier: Apache-2.0
#include "ui/views/marks.h"

#include "ui/views/annotation_text.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace seedwave::ui {

namespace {

/// Distance in pixels within which a handle is grabbed.
constexpr double kReach = 10.0;
/// On shorter lines, the middle is too close to the ends.
constexpr double kLeastForMiddle = 40.0;
constexpr double kEndRadius = 5.0;
constexpr double kMiddleRadius = 3.0;
constexpr double kTextGap = 10.0;
constexpr double kFaint = 0.45;

/// Cuts a line far longer than the view to what can be visible.
QLineF cut_to(QLineF line, const QSize& size) {
  const double most = 4.0 * (size.width() + size.height());
  const QPointF middle = line.center();
  if (line.length() <= most) return line;
  const QPointF half = (line.p2() - line.p1()) / line.length() * most / 2;
  return {middle - half, middle + half};
}

void draw_grip(QPainter& painter, const QPointF& place, double radius, bool held) {
  painter.setPen(QPen(kAnnotationHalo, 4));
  painter.setBrush(held ? QBrush(kAnnotationAccent) : QBrush(QColor(0, 0, 0, 90)));
  painter.drawEllipse(place, radius, radius);
  painter.setPen(QPen(held ? kAnnotationAccent : QColor(Qt::white), 1.8));
  painter.drawEllipse(place, radius, radius);
}

/// Draws the text beside the middle of the line, inside the view.
void draw_says(QPainter& painter, const LineMarkState& state, const QLineF& line) {
  if (state.text.isEmpty()) return;
  const QFontMetricsF metrics(painter.font());
  const QSizeF text(metrics.horizontalAdvance(state.text), metrics.height());
  QPointF across(0.0, 1.0);
  if (line.length() > 0.0) across = {-line.dy() / line.length(), line.dx() / line.length()};
  if (across.y() < 0.0 || (across.y() == 0.0 && across.x() < 0.0)) across = -across;
  // The distance grows with the size of the text in that direction.
  const double out =
      kTextGap + std::abs(across.x()) * text.width() / 2 + std::abs(across.y()) * text.height() / 2;
  QRectF place(QPointF(), text + QSizeF(10, 4));
  place.moveCenter(line.center() + across * out);
  const double margin = 4.0;
  place.moveLeft(std::clamp(place.left(), margin,
                            std::max(margin, state.size.width() - margin - place.width())));
  place.moveTop(std::clamp(place.top(), margin,
                           std::max(margin, state.size.height() - margin - place.height())));
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0, 0, 0, 190));
  painter.drawRoundedRect(place, 3, 3);
  painter.setPen(Qt::white);
  painter.drawText(place, Qt::AlignCenter, state.text);
}

}  // namespace

std::optional<LineGrip> grip_at(const QPointF& from, const QPointF& to, const QPointF& position) {
  const std::array<std::pair<LineGrip, QPointF>, 3> marks{
      {{LineGrip::To, to}, {LineGrip::From, from}, {LineGrip::Middle, (from + to) / 2}}};
  for (const auto& [grip, place] : marks) {
    if (grip == LineGrip::Middle && QLineF(from, to).length() < kLeastForMiddle) continue;
    if (QLineF(place, position).length() <= kReach) return grip;
  }
  return std::nullopt;
}

void draw_line_mark(QPainter& painter, const LineMarkState& state) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (!state.in_slice) painter.setOpacity(kFaint);
  const QLineF line = cut_to({state.from, state.to}, state.size);
  painter.setPen(QPen(kAnnotationHalo, 4.5, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(line);
  painter.setPen(QPen(Qt::white, 2.0, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(line);
  if (line.length() >= kLeastForMiddle)
    draw_grip(painter, line.center(), kMiddleRadius, state.held == LineGrip::Middle);
  draw_grip(painter, state.from, kEndRadius, state.held == LineGrip::From);
  draw_grip(painter, state.to, kEndRadius, state.held == LineGrip::To);
  if (state.in_slice) draw_says(painter, state, line);
  painter.restore();
}

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
