// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/scalar_map.h"
#include "ui/views/plane_axes.h"
#include "ui/views/slice_state.h"
#include "ui/views/slice_transform.h"

#include <QRectF>
#include <QString>

class QPainter;

namespace seedwave::ui {

/// The state of the texts and marks around the image, in logical pixels.
struct AnnotationState {
  const PlaneAxes& axes;
  const DisplayState& display;
  const CornerTexts& texts;
  QSize size;        // size of the view
  double mm_pixels;  // logical pixels per millimetre
  double scale;      // device pixels per image pixel, along its finer side
  bool fitted;       // the view shows the whole slice
  std::int64_t slice;
  bool is_color = false;  // an RGB image has no window
  /// The map whose colours need a bar, or null.
  const ScalarMap* map = nullptr;
  QString map_note;  // shown instead of the bar; may be empty
};

/// Returns the quantity of a map: "Strength", "Image (mm)".
[[nodiscard]] QString map_title(const ScalarMap& map);

/// Draws letters on the four sides, texts in the corners, scale bar, and colour bar or wheel.
/// Leaves them out if the view is too small.
void draw_annotations(QPainter& painter, const AnnotationState& state);

/// Draws the two lines through the cursor, with a gap around it.
void draw_crosshair(QPainter& painter, const QPointF& cursor, const QSize& size);

enum class BrushMark { Seeds, Eraser };
/// Draws the outline of the brush at the pointer.
void draw_brush(QPainter& painter, const QPointF& centre, double radius, BrushMark mark,
                const QColor& color);
/// Draws a rubber band.
void draw_box(QPainter& painter, const QRectF& box);

/// The longest scale bar of 1, 2, 5 times a power of ten (mm or px) that is at most `pixels` long.
struct ScaleBar {
  double length = 0.0;  // in the unit of the grid
  QString text;         // "50 mm", never "2 cm"; "200 px"
};
[[nodiscard]] ScaleBar scale_bar(double pixels_a_unit, double most_pixels, LengthUnit unit);

/// Returns "Zoom 127 % (fit)": at 100 %, an image pixel is one pixel of the screen. Under the
/// microscope (length_scale()) "5.2×, zoom 26 % (fit)": by custom a pixel of the screen is 1
/// micrometre at 10×.
[[nodiscard]] QString zoom_text(double scale, bool fitted, const Geometry& geometry);

/// Returns "120", "0.35", "-1024": as many digits as the width of the window requires.
[[nodiscard]] QString window_number(double value, double width);

}  // namespace seedwave::ui
