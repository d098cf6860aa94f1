// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <QSize>
#include <QString>

#include <optional>

class QPainter;
namespace seedwave::ui {

/// The handles of a line.
enum class LineGrip { From, To, Middle };

/// A line with its handles, in logical pixels of a view.
struct LineMarkState {
  QPointF from;
  QPointF to;
  QString text;
  /// The handle that is dragged or under the pointer.
  std::optional<LineGrip> held{};
  /// If false, the line is in front of or behind the slice, and is drawn faintly and without its
  /// text.
  bool in_slice = true;
  QSize size;
};

/// Returns the handle within reach of `position`; ends take precedence over the middle.
[[nodiscard]] std::optional<LineGrip> grip_at(const QPointF& from, const QPointF& to,
                                              const QPointF& position);

/// Draws the line in white on black, visible on any image and colour, with its text beside the
/// middle.
void draw_line_mark(QPainter& painter, const LineMarkState& state);

/// Draws a small cross with an open centre, in logical pixels of a view: white on black, visible on
/// any image.
void draw_place_mark(QPainter& painter, const QPointF& place);

}  // namespace seedwave::ui
