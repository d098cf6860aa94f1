// SPDX-License-Identifier: Apache-2.0
#include "ui/plots/chart_layout.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace seedwave::ui {

namespace {

/// Margins that keep the mark of a peak and the lowest sample fully visible.
constexpr double kAir = 0.06;
constexpr double kXAir = 0.01;
/// The highest zoom, as a share of the whole range.
constexpr double kClosest = 1e-4;
constexpr double kLegendShare = 0.3;  // of the widget's height

double widest(const std::vector<Tick>& ticks, const QFontMetricsF& font) {
  double width = 0;
  for (const Tick& tick : ticks)
    width = std::max(width, font.horizontalAdvance(tick.text));
  return width;
}

std::vector<Tick> marks(const PlotRange& range, PlotScale scale, int most) {
  std::vector<Tick> ticks = scale == PlotScale::Linear
                                ? round_ticks(range.low, range.high, most)
                                : round_log_ticks(range.low, range.high, most);
  for (Tick& tick : ticks)
    tick.text = with_power(tick.text);
  return ticks;
}

PlotRange widened(const PlotRange& range, double share) {
  const double air = share * (range.high - range.low);
  return {.low = range.low - air, .high = range.high + air};
}

}  // namespace

ChartLayout::ChartLayout(const Plot& plot, const View& view, const QSizeF& size,
                         const QFontMetricsF& font)
    : view_(view) {
  place_legend(plot, size, font);
  const double line = font.height();
  const double top = (legend_.empty() ? line / 2 : legend_.back().place.bottom()) + kGap;
  const double bottom = size.height() - 2 * line - 3 * kGap;
  const int rows = static_cast<int>(std::max(2.0, (bottom - top) / (1.6 * line)));
  y_ticks_ = marks(view.y, plot.y.scale, rows);
  const double left = std::ceil(widest(y_ticks_, font) + line + 4 * kGap);
  double right = size.width() - 4 * kGap;
  // Tick labels of x stand side by side, so their width limits their number.
  for (int most = 12; most >= 2; --most) {
    x_ticks_ = marks(view.x, plot.x.scale, most);
    const double wide = widest(x_ticks_, font);
    right = size.width() - std::max(4 * kGap, wide / 2 + kGap);
    if (static_cast<double>(x_ticks_.size()) * (wide + 4 * kGap) <= right - left) break;
  }
  // Whole pixels: VTK's lines and the texts are placed by the same numbers.
  area_ = QRectF(QPointF(left, std::round(top)), QPointF(std::floor(std::max(right, left + 1)),
                                                         std::floor(std::max(bottom, top + 1))));
}

void ChartLayout::place_legend(const Plot& plot, const QSizeF& size, const QFontMetricsF& font) {
  if (plot.curves.size() < 2) return;
  const double line = font.height() + 2;
  double left = 2 * kGap;
  double top = kGap;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const double wide =
        std::min(kSwatch + kGap + font.horizontalAdvance(plot.curves[i].name) + 4 * kGap,
                 size.width() - 4 * kGap);
    if (left > 2 * kGap && left + wide > size.width() - 2 * kGap) {
      left = 2 * kGap;
      top += line;
    }
    if (top + line > kLegendShare * size.height() && i > 0) {
      tell_left_out(plot.curves.size() - i, size, font);
      return;
    }
    legend_.push_back({.curve = i, .place = QRectF(left, top, wide, line)});
    left += wide;
  }
}

QString ChartLayout::LeftOut::text() const {
  return QCoreApplication::translate("Chart", "and %n more: point at one", nullptr,
                                     static_cast<int>(names));
}

/// Placed after the last name, or in its place if there is no room.
void ChartLayout::tell_left_out(std::size_t names, const QSizeF& size, const QFontMetricsF& font) {
  left_out_.names = names;
  while (true) {
    const QRectF& last = legend_.back().place;
    const double wide = font.horizontalAdvance(left_out_.text()) + 2 * kGap;
    left_out_.place = QRectF(last.right(), last.top(), wide, last.height());
    if (left_out_.place.right() <= size.width() || legend_.size() == 1) return;
    legend_.pop_back();
    ++left_out_.names;
  }
}

ChartAxes ChartLayout::axes() const {
  ChartAxes axes{.area = area_, .x = view_.x, .y = view_.y, .x_marks = {}, .y_marks = {}};
  for (const Tick& tick : x_ticks_)
    axes.x_marks.push_back(tick.value);
  for (const Tick& tick : y_ticks_)
    axes.y_marks.push_back(tick.value);
  return axes;
}

QPointF ChartLayout::position_of(double x, double y) const {
  return {area_.left() + area_.width() * (x - view_.x.low) / (view_.x.high - view_.x.low),
          area_.bottom() - area_.height() * (y - view_.y.low) / (view_.y.high - view_.y.low)};
}

double ChartLayout::x_at(double left) const {
  return view_.x.low + (left - area_.left()) / area_.width() * (view_.x.high - view_.x.low);
}

double ChartLayout::y_at(double top) const {
  return view_.y.low + (area_.bottom() - top) / area_.height() * (view_.y.high - view_.y.low);
}

std::optional<PlotSample> ChartLayout::nearest(const Plot& plot, const QPointF& place) const {
  std::optional<PlotSample> nearest;
  double least = std::numeric_limits<double>::infinity();
  const double x = x_at(place.x());
  for (std::size_t c = 0; c < plot.curves.size(); ++c) {
    const PlotCurve& curve = plot.curves[c];
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) continue;
      if (curve.x[i] < view_.x.low || curve.x[i] > view_.x.high) continue;
      if (!found || std::abs(curve.x[i] - x) < std::abs(curve.x[*found] - x)) found = i;
    }
    if (!found) continue;
    const QPointF away = position_of(curve.x[*found], curve.y[*found]) - place;
    const double distance = std::hypot(away.x(), away.y());
    if (distance < least) {
      least = distance;
      nearest = PlotSample{.curve = c, .index = *found};
    }
  }
  return nearest;
}

ChartLayout::View whole_view(const Plot& plot) {
  return {.x = widened(x_range(plot), kXAir), .y = widened(y_range(plot), kAir)};
}

PlotRange zoomed(const PlotRange& view, const PlotRange& whole, double about, double factor) {
  const double all = whole.high - whole.low;
  const double span = std::clamp((view.high - view.low) * factor, kClosest * all, all);
  const double share = (about - view.low) / (view.high - view.low);
  const double low = about - share * span;
  return moved({.low = low, .high = low + span}, whole, 0.0);
}

PlotRange moved(const PlotRange& view, const PlotRange& whole, double by) {
  const double span = view.high - view.low;
  const double low = std::clamp(view.low + by, whole.low, std::max(whole.low, whole.high - span));
  return {.low = low, .high = low + span};
}

}  // namespace seedwave::ui
