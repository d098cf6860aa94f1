// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/region.h"

#include <QColor>
#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

class QPainter;

namespace seedwave::ui {

/// Regions with their bounds, for drawing.
class PlacedRegions {
 public:
  explicit PlacedRegions(const Regions& regions);

  [[nodiscard]] const Regions& regions() const noexcept { return regions_; }
  [[nodiscard]] const std::vector<RegionBounds>& bounds() const noexcept { return bounds_; }

 private:
  Regions regions_;
  std::vector<RegionBounds> bounds_;
};

/// A region and its row.
struct ChosenRegion {
  std::size_t row = 0;
  std::shared_ptr<const Region> region;
};

/// The place of the world in a view, in its pixels.
struct WorldInView {
  QPointF origin;
  /// Steps of one unit along x and y of the world.
  QPointF along_x;
  QPointF along_y;
  [[nodiscard]] QPointF at(const RegionPoint& point) const {
    return origin + point[0] * along_x + point[1] * along_y;
  }
  [[nodiscard]] RegionPoint world_at(const QPointF& position) const {
    const QPointF from = position - origin;
    const double area = along_x.x() * along_y.y() - along_x.y() * along_y.x();
    return {(from.x() * along_y.y() - from.y() * along_y.x()) / area,
            (along_x.x() * from.y() - along_x.y() * from.x()) / area};
  }
};

/// Draws the outline of a region as of a chosen one.
void draw_chosen_region(QPainter& painter, const Region& region, const WorldInView& view);

/// Draws the outlines of regions. A region of a few pixels is a dot, and corners nearer than a
/// pixel are left out: the cost is that of what can be seen.
///
/// `color_of`: the colour of a region's label; an invalid one hides it. `chosen`: rows to
/// emphasise.
void draw_regions(QPainter& painter, const PlacedRegions& placed, const WorldInView& view,
                  const QRectF& visible, const std::function<QColor(Label)>& color_of,
                  const std::vector<std::size_t>& chosen);

}  // namespace seedwave::ui
