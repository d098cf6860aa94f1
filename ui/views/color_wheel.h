// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/scalar_map.h"
#include "ui/views/plane_axes.h"
#include "ui/views/slice_state.h"

#include <QImage>
#include <QPointF>
#include <QRectF>

#include <vector>

class QPainter;

namespace seedwave::ui {

/// The legend of values that come round again: a disc on which a colour is found where its value
/// points. Degrees point as they are measured, counter-clockwise from the picture's right, so that
/// the angle of a line, which begins again after half a turn, has its colour on both sides; all
/// else goes round once. Turned over with the picture where that is shown turned over.
class ColorWheel {
 public:
  ColorWheel(const ScalarMap& map, const PlaneAxes& axes);

  /// The value that stands in a direction on the screen, from 0 to the period.
  [[nodiscard]] double value_toward(double right, double down) const;
  /// The direction on the screen in which a value stands first, of length 1.
  [[nodiscard]] QPointF direction_of(double value) const;
  /// The values that are written at the rim.
  [[nodiscard]] std::vector<double> ticks() const;
  /// The disc, transparent around; fading towards its middle where `fades`.
  [[nodiscard]] QImage picture(int diameter, bool fades) const;

 private:
  double period_;
  /// Periods in a whole turn.
  double turns_;
  /// Of the directions on the screen along the picture's columns and down its rows.
  QPointF along_columns_{1.0, 0.0};
  QPointF down_rows_{0.0, 1.0};
};

/// Draws title, wheel, numbers and what its fading means, with their right upper corner there.
/// Nothing where they do not fit above `bottom`.
void draw_color_wheel(QPainter& painter, const ScalarMap& map, const MapStyle& style,
                      const PlaneAxes& axes, const QPointF& corner, double bottom);

}  // namespace seedwave::ui
