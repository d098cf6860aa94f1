// SPDX-License-Identifier: Apache-2.0
#include "ui/views/region_outlines.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <map>

namespace seedwave::ui {
namespace {

/// A region whose longer side is below is a dot.
constexpr double kLeastPixels = 2.5;
/// Corners nearer to the last one are left out.
constexpr double kLeastStep = 0.75;
/// Above so many corners, lines have neither rims nor smooth edges.
constexpr std::int64_t kMostRimmed = 20'000;

QRectF in_view(const RegionBounds& bounds, const WorldInView& view) {
  return QRectF(view.at(bounds.low), view.at(bounds.high)).normalized();
}

/// All that is drawn with one pen.
struct Lines {
  QList<QPolygonF> rings;
  QList<QRectF> dots;
};

QPolygonF ring_in_view(const RegionRing& ring, const WorldInView& view) {
  QPolygonF line;
  for (const RegionPoint& point : ring) {
    const QPointF at = view.at(point);
    if (!line.isEmpty() && std::max(std::abs(at.x() - line.back().x()),
                                    std::abs(at.y() - line.back().y())) < kLeastStep)
      continue;
    line << at;
  }
  return line;
}

void add(Lines& lines, const Region& region, const QRectF& place, const WorldInView& view) {
  if (std::max(place.width(), place.height()) < kLeastPixels) {
    lines.dots << QRectF(place.center() - QPointF(1.0, 1.0), QSizeF(2.0, 2.0));
    return;
  }
  for (const RegionPolygon& polygon : region.polygons) {
    for (const RegionRing& ring : polygon)
      lines.rings << ring_in_view(ring, view);
  }
}

void draw_rings(QPainter& painter, const QList<QPolygonF>& rings, const QPen& pen) {
  painter.setPen(pen);
  for (const QPolygonF& ring : rings)
    painter.drawPolygon(ring);
}

std::int64_t corners_of(const std::map<QRgb, Lines>& by_color) {
  std::int64_t corners = 0;
  for (const auto& [color, lines] : by_color) {
    for (const QPolygonF& ring : lines.rings)
      corners += ring.size();
  }
  return corners;
}

}  // namespace

PlacedRegions::PlacedRegions(const Regions& regions) : regions_(regions) {
  bounds_.reserve(regions.size());
  for (const auto& region : regions)
    bounds_.push_back(bounds_of(*region));
}

void draw_chosen_region(QPainter& painter, const Region& region, const WorldInView& view) {
  Lines lines;
  add(lines, region, in_view(bounds_of(region), view), view);
  draw_rings(painter, lines.rings, QPen(Qt::black, 5.0));
  draw_rings(painter, lines.rings, QPen(Qt::white, 2.5));
}

void draw_regions(QPainter& painter, const PlacedRegions& placed, const WorldInView& view,
                  const QRectF& visible, const std::function<QColor(Label)>& color_of,
                  const std::vector<std::size_t>& chosen) {
  std::map<QRgb, Lines> by_color;
  for (std::size_t i = 0; i < placed.regions().size(); ++i) {
    const QRectF place = in_view(placed.bounds()[i], view);
    // A place without height is none that intersects.
    if (!visible.intersects(place.adjusted(-1, -1, 1, 1))) continue;
    const Region& region = *placed.regions()[i];
    const QColor color = color_of(region.label);
    if (color.isValid()) add(by_color[color.rgb()], region, place, view);
  }
  const bool is_rimmed = corners_of(by_color) <= kMostRimmed;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, is_rimmed);
  painter.setBrush(Qt::NoBrush);
  if (is_rimmed) {
    for (const auto& [color, lines] : by_color)
      draw_rings(painter, lines.rings, QPen(QColor(0, 0, 0, 150), 3.5));
  }
  for (const auto& [color, lines] : by_color) {
    draw_rings(painter, lines.rings, QPen(QColor(color), is_rimmed ? 1.75 : 1.0));
    for (const QRectF& dot : lines.dots)
      painter.fillRect(dot, QColor(color));
  }
  for (const std::size_t row : chosen) {
    if (row >= placed.regions().size()) continue;
    const QRectF place = in_view(placed.bounds()[row], view);
    if (visible.intersects(place.adjusted(-1, -1, 1, 1)))
      draw_chosen_region(painter, *placed.regions()[row], view);
  }
  painter.restore();
}

}  // namespace seedwave::ui
