// SPDX-License-Identifier: Apache-2.0
#include "ui/views/corner_hand.h"

#include <QPainter>

#include <cmath>
#include <utility>

namespace seedwave::ui {
namespace {

/// The pointer takes a corner within this distance.
constexpr double kCornerReach = 7.0;
constexpr double kCornerSide = 7.0;
constexpr double kMiddleSide = 4.0;

/// Returns kCornerReach in units of the world.
double reach_in(const WorldInView& view) {
  const double pixels = std::hypot(view.along_x.x(), view.along_x.y());
  return pixels > 0.0 ? kCornerReach / pixels : 0.0;
}

void draw_handle(QPainter& painter, const QPointF& at, double side) {
  const QRectF square(at - QPointF(side, side) / 2.0, QSizeF(side, side));
  painter.fillRect(square.adjusted(-1.0, -1.0, 1.0, 1.0), Qt::black);
  painter.fillRect(square, Qt::white);
}

void draw_handles(QPainter& painter, const RegionRing& ring, const WorldInView& view) {
  const double reach = reach_in(view);
  if (!corners_are_apart(ring, reach)) return;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const RegionPoint& next = ring[(i + 1) % ring.size()];
    draw_handle(painter, view.at(ring[i]), kCornerSide);
    if (has_middle(ring[i], next, reach))
      draw_handle(painter, (view.at(ring[i]) + view.at(next)) / 2.0, kMiddleSide);
  }
}

}  // namespace

bool CornerHand::is_over_corner(const QPointF& position, const WorldInView& view) const {
  const auto chosen = layers_.chosen_region();
  return chosen && corner_near(*chosen->region, view.world_at(position), reach_in(view));
}

bool CornerHand::take(const QPointF& position, const WorldInView& view) {
  const auto chosen = layers_.chosen_region();
  if (!chosen) return false;
  const auto corner = corner_near(*chosen->region, view.world_at(position), reach_in(view));
  if (corner) held_ = {.before = *chosen, .corner = *corner, .now = nullptr};
  return corner.has_value();
}

void CornerHand::drag(const QPointF& position, const WorldInView& view) {
  if (!held_) return;
  held_->now =
      with_corner_at(*held_->before.region, held_->corner, view.world_at(position), reach_in(view));
}

std::optional<ChosenRegion> CornerHand::release() {
  const std::optional<Held> held = std::exchange(held_, std::nullopt);
  if (!held || held->now == nullptr || area_of(*held->now) <= 0.0) return std::nullopt;
  // It may have been changed or removed meanwhile, by undo.
  const auto chosen = layers_.chosen_region();
  if (!chosen || chosen->region != held->before.region) return std::nullopt;
  return ChosenRegion{.row = held->before.row, .region = held->now};
}

void CornerHand::draw(QPainter& painter, const WorldInView& view) const {
  const auto chosen = layers_.chosen_region();
  if (!chosen) return;
  const Region& region = held_ && held_->now != nullptr ? *held_->now : *chosen->region;
  painter.setBrush(Qt::NoBrush);
  if (holds()) draw_chosen_region(painter, region, view);
  for (const RegionPolygon& polygon : region.polygons) {
    for (const RegionRing& ring : polygon)
      draw_handles(painter, ring, view);
  }
}

}  // namespace seedwave::ui
