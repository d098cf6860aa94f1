// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <QSize>
#include <QString>

#include <optional>

class QPainter;

namespace seedwave::ui {

/// By what a line is taken.
enum class LineGrip { From, To, Middle };

/// A line with its marks, in logical pixels of a view.
struct LineMarkState {
  QPointF from;
  QPointF to;
  QString text;
  /// The mark that the hand holds, or would take.
  std::optional<LineGrip> held{};
  /// False: it lies before or behind the slice, and is drawn faintly and without its text.
  bool in_slice = true;
  QSize size;
};

/// The mark that is near enough to be meant; ends before the middle.
[[nodiscard]] std::optional<LineGrip> grip_at(const QPointF& from, const QPointF& to,
                                              const QPointF& position);

/// Seen on any image and any colour: white on black, with what it says beside its middle.
void draw_line_mark(QPainter& painter, const LineMarkState& state);

}  // namespace seedwave::ui
