// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/region_corners.h"
#include "ui/views/region_outlines.h"
#include "ui/views/slice_layers.h"

#include <QPointF>

#include <optional>

class QPainter;

namespace seedwave::ui {

/// Moves the corners of the one chosen region of a 2-D image. Positions and lengths are in the
/// pixels of the view.
class CornerHand {
 public:
  /// `layers` must outlive this.
  explicit CornerHand(const SliceLayers& layers) : layers_(layers) {}

  [[nodiscard]] bool is_over_corner(const QPointF& position, const WorldInView& view) const;
  /// Takes hold of the corner at a position. Returns whether there is one.
  bool take(const QPointF& position, const WorldInView& view);
  [[nodiscard]] bool holds() const noexcept { return held_.has_value(); }
  void drag(const QPointF& position, const WorldInView& view);
  /// Lets go. Returns the region as it has become; nothing if it is as it was.
  [[nodiscard]] std::optional<ChosenRegion> release();
  void cancel() { held_.reset(); }
  /// Draws the handles, and the region as it becomes.
  void draw(QPainter& painter, const WorldInView& view) const;

 private:
  struct Held {
    ChosenRegion before;
    RegionCorner corner;
    /// Null until it is dragged.
    std::shared_ptr<const Region> now;
  };

  const SliceLayers& layers_;
  std::optional<Held> held_;
};

}  // namespace seedwave::ui
