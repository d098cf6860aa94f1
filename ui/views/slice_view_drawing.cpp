// SPDX-License-Identifier: Apache-2.0
//
// Drawing of a slice view over the image of its pipeline, and the regions that it repaints.
#include "ui/views/place_mark.h"
#include "ui/views/slice_annotations.h"
#include "ui/views/slice_view_private.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace seedwave::ui {

void SliceView::Private::update_dirty() {
  const double ratio = view_.devicePixelRatioF();
  const QRect dirty = pipeline_.dirty();
  view_.update(QRectF(dirty.left() / ratio, dirty.top() / ratio, dirty.width() / ratio,
                      dirty.height() / ratio)
                   .toAlignedRect());
}

QRect SliceView::Private::brush_rect(const QPointF& position) const {
  const double radius =
      brush_.radius_mm * pipeline_.transform().mm_pixels / view_.devicePixelRatioF() + 4;
  return QRectF(position.x() - radius, position.y() - radius, 2 * radius, 2 * radius)
      .toAlignedRect();
}

void SliceView::Private::update_brush_mark(const std::optional<QPointF>& position) {
  const std::optional<QPointF> before = std::exchange(pointer_, position);
  if (!paints() || !has_image()) return;
  if (before) view_.update(brush_rect(*before));
  if (pointer_) view_.update(brush_rect(*pointer_));
}

void SliceView::Private::draw_chosen(QPainter& painter) {
  if (chosen_.empty() || !display_.overlay.show_seeds) return;
  constexpr double kHaloWidth = 4.0;
  constexpr double kRimWidth = 2.0;
  const double ratio = view_.devicePixelRatioF();
  const SliceTransform& transform = pipeline_.transform();
  QList<QLineF> lines;
  for (const QLineF& line : chosen_.lines(axes(), pipeline_.slice())) {
    lines << QLineF(transform.to_device(line.x1(), line.y1()) / ratio,
                    transform.to_device(line.x2(), line.y2()) / ratio);
  }
  // White on black like the reference, but solid: visible on any image and over any label.
  painter.setPen(QPen(Qt::black, kHaloWidth, Qt::SolidLine, Qt::SquareCap));
  painter.drawLines(lines);
  painter.setPen(QPen(Qt::white, kRimWidth, Qt::SolidLine, Qt::SquareCap));
  painter.drawLines(lines);
}

void SliceView::Private::draw_line(QPainter& painter) {
  const double middle =
      (axes().slice_coordinates(line_->from)[2] + axes().slice_coordinates(line_->to)[2]) / 2;
  LineMarkState state{.from = view_.position_of(line_->from),
                      .to = view_.position_of(line_->to),
                      .text = line_->text,
                      .in_slice = std::abs(middle - static_cast<double>(pipeline_.slice())) <= 1.0,
                      .size = view_.size()};
  if (line_drag_ && line_drag_->began) {
    // A drawn line is held by its end.
    const bool moved = line_drag_->drag.kind == LineDrag::Kind::Moved;
    state.held = moved ? LineGrip::Middle : LineGrip::To;
  } else if (pointer_) {
    state.held = grip_at(*pointer_);
  }
  draw_line_mark(painter, state);
}

void SliceView::Private::paint(QPainter& painter) {
  const double ratio = view_.devicePixelRatioF();
  painter.drawImage(QPointF(0, 0), pipeline_.render());
  if (!has_image()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  draw_chosen(painter);
  if (display_.show_crosshair) {
    draw_crosshair(painter, view_.position_of(display_.cursor), view_.size());
  }
  const SliceTransform& transform = pipeline_.transform();
  draw_annotations(painter, {.axes = axes(),
                             .display = display_,
                             .texts = texts_,
                             .size = view_.size(),
                             .mm_pixels = transform.mm_pixels / ratio,
                             .scale = std::min(transform.u_pixels, transform.v_pixels),
                             .fitted = camera_ == SliceCamera{},
                             .slice = pipeline_.slice(),
                             .is_color = pipeline_.image().components() > 1,
                             .map = map_wanted() && !map_.empty() ? &map_ : nullptr,
                             .map_note = display_.overlay.show_result ? map_note_ : QString()});
  if (pointer_ && paints()) {
    const bool erases =
        interaction_.tool() == Tool::Eraser || interaction_.dragging() == DragAction::Erase;
    draw_brush(painter, *pointer_, brush_.radius_mm * pipeline_.transform().mm_pixels / ratio,
               erases ? BrushMark::Eraser : BrushMark::Seeds, label_color());
  }
  if (!box_.isNull()) draw_box(painter, box_);
  if (line_) draw_line(painter);
  if (place_) draw_place_mark(painter, view_.position_of(*place_));
  if (view_.hasFocus()) {
    // Shows keyboard users which view has the focus.
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(view_.palette().color(QPalette::Highlight), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(view_.rect().adjusted(0, 0, -1, -1));
  }
}

}  // namespace seedwave::ui
