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

/// What is written and drawn around the image, in logical pixels.
struct AnnotationState {
  const PlaneAxes& axes;
  const DisplayState& display;
  const CornerTexts& texts;
  QSize size;        // of the view
  double mm_pixels;  // logical pixels a millimetre
  double scale;      // device pixels an image pixel, along its finer side
  bool fitted;       // the view shows the whole slice
  std::int64_t slice;
  bool is_color = false;  // RGB: has no window
  /// The map whose colours need a bar; null: none.
  const ScalarMap* map = nullptr;
  QString map_note;  // shown in the place of the bar; may be empty
};

/// "Strength", "Image (mm)": what a map's numbers are.
[[nodiscard]] QString map_title(const ScalarMap& map);

/// Letters on the four sides, texts in the corners, scale bar, colour bar or wheel. Left out where
/// the view is too small to hold them.
void draw_annotations(QPainter& painter, const AnnotationState& state);

/// The two lines through the cursor, with a gap around it.
void draw_crosshair(QPainter& painter, const QPointF& cursor, const QSize& size);

enum class BrushMark { Seeds, Eraser };
/// The brush's outline at the pointer.
void draw_brush(QPainter& painter, const QPointF& centre, double radius, BrushMark mark,
                const QColor& color);
/// A rubber band.
void draw_box(QPainter& painter, const QRectF& box);

/// The longest of 1, 2, 5 times a power of ten (mm or px) that is at most `pixels` long.
struct ScaleBar {
  double length = 0.0;  // in the grid's unit
  QString text;         // "50 mm", "2 cm" is never used; "200 px"
};
[[nodiscard]] ScaleBar scale_bar(double pixels_a_unit, double most_pixels, LengthUnit unit);

/// "Zoom 127 % (fit)": 100 % is an image pixel a pixel of the screen.
[[nodiscard]] QString zoom_text(double scale, bool fitted);

/// "120", "0.35", "-1,024" without the comma: as many digits as the window's width calls for.
[[nodiscard]] QString window_number(double value, double width);

}  // namespace seedwave::ui
