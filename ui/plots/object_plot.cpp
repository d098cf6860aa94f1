// SPDX-License-Identifier: Apache-2.0
#include "ui/plots/object_plot.h"

#include "ui/plots/plot_colors.h"
#include "ui/views/axis_ticks.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace seedwave::ui {
namespace {

constexpr int kSpace = 4;
constexpr int kTicks = 4;

/// Shades of a count, by its logarithm: single objects are visible beside thousands.
int opacity(std::uint32_t count, std::uint32_t most) {
  constexpr double kLeast = 90.0;
  constexpr double kMost = 255.0;
  if (most <= 1) return static_cast<int>(kMost);
  const double share = std::log1p(count) / std::log1p(most);
  return static_cast<int>(kLeast + (kMost - kLeast) * share);
}

}  // namespace

ObjectPlot::ObjectPlot(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(minimumSizeHint().height());
  setCursor(Qt::CrossCursor);
}

void ObjectPlot::set_bins(ObjectBins bins, const QString& x, const QString& y) {
  bins_ = std::move(bins);
  x_title_ = x;
  y_title_ = y;
  update();
}

QSize ObjectPlot::sizeHint() const {
  return {260, 180};
}
QSize ObjectPlot::minimumSizeHint() const {
  return {160, 120};
}

double ObjectPlot::top() const {
  if (bins_.y) return bins_.y->high;
  return bins_.all.empty()
             ? 1.0
             : std::max(1.0, static_cast<double>(*std::ranges::max_element(bins_.all)));
}

QRectF ObjectPlot::area() const {
  const int line = fontMetrics().height();
  double widest = 0.0;
  for (const Tick& tick : round_ticks(bins_.y ? bins_.y->low : 0.0, top(), kTicks))
    widest = std::max(widest, fontMetrics().horizontalAdvance(tick.text) * 1.0);
  const double left = kSpace + line + widest + kSpace;  // the title stands upright
  return {left, kSpace + line / 2.0, width() - left - 3.0 * kSpace,
          height() - 2.5 * line - 3.0 * kSpace};
}

void ObjectPlot::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (bins_.all.empty()) return;
  const QRectF place = area();
  if (bins_.y) {
    paint_points(painter, place);
  } else {
    paint_bars(painter, place);
  }
  paint_axes(painter, place);
  if (!pressed_) return;
  QColor fill = palette().color(QPalette::Highlight);
  painter.setPen(fill);
  fill.setAlpha(60);
  painter.setBrush(fill);
  painter.drawRect(dragged());
}

void ObjectPlot::paint_axes(QPainter& painter, const QRectF& place) const {
  const PlotColors colors = plot_colors(palette());
  const int line = fontMetrics().height();
  painter.setBrush(Qt::NoBrush);
  painter.setPen(colors.axis);
  painter.drawLine(place.bottomLeft(), place.bottomRight());
  painter.drawLine(place.bottomLeft(), place.topLeft());
  painter.setPen(colors.text);
  for (const Tick& tick : round_ticks(bins_.x.low, bins_.x.high, kTicks)) {
    const double x =
        place.left() + (tick.value - bins_.x.low) / (bins_.x.high - bins_.x.low) * place.width();
    painter.drawLine(QPointF(x, place.bottom()), QPointF(x, place.bottom() + 3));
    const double half = fontMetrics().horizontalAdvance(tick.text) / 2.0;
    painter.drawText(QPointF(std::min(x - half, width() - 2 * half),
                             place.bottom() + kSpace + fontMetrics().ascent()),
                     tick.text);
  }
  const double low = bins_.y ? bins_.y->low : 0.0;
  for (const Tick& tick : round_ticks(low, top(), kTicks)) {
    const double y = place.bottom() - (tick.value - low) / (top() - low) * place.height();
    painter.drawLine(QPointF(place.left() - 3, y), QPointF(place.left(), y));
    painter.drawText(QPointF(place.left() - kSpace - fontMetrics().horizontalAdvance(tick.text),
                             y + fontMetrics().ascent() / 2.0 - 1),
                     tick.text);
  }
  painter.drawText(QRectF(place.left(), height() - line - kSpace / 2.0, place.width(), line),
                   Qt::AlignCenter,
                   fontMetrics().elidedText(x_title_, Qt::ElideRight, qRound(place.width())));
  painter.save();
  painter.translate(kSpace / 2.0, place.bottom());
  painter.rotate(-90);
  painter.drawText(QRectF(0, 0, place.height(), line), Qt::AlignCenter,
                   fontMetrics().elidedText(y_title_, Qt::ElideRight, qRound(place.height())));
  painter.restore();
}

void ObjectPlot::paint_bars(QPainter& painter, const QRectF& place) const {
  const QColor others = plot_colors(palette()).axis;
  const auto bar = [&](std::size_t bin, std::uint32_t count, const QColor& color) {
    const double width = place.width() / bins_.x.bins;
    const double height = count / top() * place.height();
    painter.fillRect(QRectF(place.left() + static_cast<double>(bin) * width,
                            place.bottom() - height, width, height),
                     color);
  };
  for (std::size_t bin = 0; bin < bins_.all.size(); ++bin) {
    bar(bin, bins_.all[bin], others);
    bar(bin, bins_.chosen[bin], palette().color(QPalette::Highlight));
  }
}

void ObjectPlot::paint_points(QPainter& painter, const QRectF& place) const {
  const QColor others = plot_colors(palette()).text;
  const QColor chosen = palette().color(QPalette::Highlight);
  const std::uint32_t most = *std::ranges::max_element(bins_.all);
  QImage image(bins_.x.bins, bins_.y->bins, QImage::Format_ARGB32);
  image.fill(Qt::transparent);
  for (int row = 0; row < bins_.y->bins; ++row) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(bins_.y->bins - 1 - row));
    for (int x = 0; x < bins_.x.bins; ++x) {
      const std::size_t bin =
          static_cast<std::size_t>(row) * static_cast<std::size_t>(bins_.x.bins) +
          static_cast<std::size_t>(x);
      if (bins_.all[bin] == 0) continue;
      const bool is_chosen = bins_.chosen[bin] > 0;
      const QColor& color = is_chosen ? chosen : others;
      line[x] = qRgba(color.red(), color.green(), color.blue(),
                      is_chosen ? 255 : opacity(bins_.all[bin], most));
    }
  }
  painter.drawImage(place, image);
}

QRectF ObjectPlot::dragged() const {
  const QRectF place = area();
  QRectF drag = QRectF(*pressed_, pointer_).normalized();
  if (!bins_.y) {
    drag.setTop(place.top());
    drag.setBottom(place.bottom());
  }
  return drag.intersected(place);
}

void ObjectPlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || bins_.all.empty()) return;
  pressed_ = pointer_ = event->position().toPoint();
}

void ObjectPlot::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_) return;
  pointer_ = event->position().toPoint();
  update();
}

void ObjectPlot::mouseReleaseEvent(QMouseEvent* event) {
  if (!pressed_ || event->button() != Qt::LeftButton) return;
  pointer_ = event->position().toPoint();
  const QRectF place = area();
  const QRectF drag = dragged();
  const bool is_click =
      (pointer_ - *pressed_).manhattanLength() < QApplication::startDragDistance();
  pressed_.reset();
  update();
  std::vector<ColumnRange> ranges;
  const auto add = [&](const BinnedAxis& axis, double from, double to) {
    // A drag to the end holds the last object, whatever the rounding.
    constexpr double kNearly = 1e-6;
    ranges.push_back(
        {.column = axis.column,
         .low = from < kNearly ? axis.low : axis.low + from * (axis.high - axis.low),
         .high = to > 1.0 - kNearly ? axis.high : axis.low + to * (axis.high - axis.low)});
  };
  if (!is_click) {
    add(bins_.x, (drag.left() - place.left()) / place.width(),
        (drag.right() - place.left()) / place.width());
    if (bins_.y)
      add(*bins_.y, (place.bottom() - drag.bottom()) / place.height(),
          (place.bottom() - drag.top()) / place.height());
  }
  emit ranges_chosen(ranges);
}

}  // namespace seedwave::ui
