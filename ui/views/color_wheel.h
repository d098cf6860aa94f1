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

/// The legend of periodic values: a disc with the colour of each value in the direction of the
/// value. Degrees are drawn as measured, counter-clockwise from the right of the image. The angle
/// of a line repeats after half a turn, so its colour appears on both sides. All other values go
/// round once. The disc is mirrored if the image is.
class ColorWheel {
 public:
  ColorWheel(const ScalarMap& map, const PlaneAxes& axes);

  /// Returns the value in a direction on the screen, from 0 to the period.
  [[nodiscard]] double value_toward(double right, double down) const;
  /// Returns the first direction of a value on the screen, a vector of length 1.
  [[nodiscard]] QPointF direction_of(double value) const;
  /// Returns the values written at the rim.
  [[nodiscard]] std::vector<double> ticks() const;
  /// Returns the disc on a transparent background; with `fades`, it fades towards its centre.
  [[nodiscard]] QImage picture(int diameter, bool fades) const;

 private:
  double period_;
  /// Number of periods in a whole turn.
  double turns_;
  /// Directions on the screen along the columns and down the rows of the image.
  QPointF along_columns_{1.0, 0.0};
  QPointF down_rows_{0.0, 1.0};
};

/// Draws title, wheel, numbers and the meaning of fading, with the upper right corner at `corner`.
/// Draws nothing if they do not fit above `bottom`.
void draw_color_wheel(QPainter& painter, const ScalarMap& map, const MapStyle& style,
                      const PlaneAxes& axes, const QPointF& corner, double bottom);

}  // namespace seedwave::ui
