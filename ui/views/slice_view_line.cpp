// SPDX-License-Identifier: Apache-2.0
//
// Drawing and moving the line of a slice view. The owner converts it to values.
#include "core/image/vec3.h"
#include "ui/views/slice_view_private.h"

#include <QLineF>

namespace seedwave::ui {
namespace {

/// A press that moves less than this is a click.
constexpr double kClickPixels = 4.0;

}  // namespace

std::optional<LineGrip> SliceView::Private::grip_at(const QPointF& position) const {
  if (!line_ || !has_image()) return std::nullopt;
  return ui::grip_at(view_.position_of(line_->from), view_.position_of(line_->to), position);
}

Vec3 SliceView::Private::world_beside(const QPointF& position, const Vec3& like) const {
  const QPointF at = pipeline_.transform().to_slice(position * view_.devicePixelRatioF());
  return axes().world_at(at.x(), at.y(), axes().slice_coordinates(like)[2]);
}

void SliceView::Private::tell_line(LineDrag::Phase phase) {
  LineDrag drag = line_drag_->drag;
  drag.phase = phase;
  emit view_.line_dragged(drag);
}

void SliceView::Private::begin_line(const QPointF& position) {
  if (!has_image()) return;
  line_drag_.emplace();
  line_drag_->grip = grip_at(position);
  line_drag_->pressed = position;
  LineDrag& drag = line_drag_->drag;
  drag.slice_axis = axes().slice_axis();
  drag.from = drag.to = world_at(position);
  if (!line_drag_->grip) return;
  line_drag_->before = *line_;
  const LineGrip grip = *line_drag_->grip;
  drag.kind = grip == LineGrip::Middle ? LineDrag::Kind::Moved : LineDrag::Kind::Drawn;
  // The held end comes last; the other end is fixed.
  drag.from = grip == LineGrip::From ? line_->to : line_->from;
  drag.to = grip == LineGrip::From ? line_->from : line_->to;
  line_drag_->taken_at = world_beside(position, line_->from);
}

void SliceView::Private::drag_line(const QPointF& position, LineSnap snap) {
  if (!line_drag_) return;
  DrawnLine& drawn = *line_drag_;
  if (!drawn.began && QLineF(drawn.pressed, position).length() < kClickPixels) return;
  LineDrag& drag = drawn.drag;
  drag.snaps = snap == LineSnap::Steps;
  if (drag.kind == LineDrag::Kind::Moved) {
    const Vec3 moved = minus(world_beside(position, drawn.before.from), drawn.taken_at);
    drag.from = plus(drawn.before.from, moved);
    drag.to = plus(drawn.before.to, moved);
  } else {
    drag.to = world_beside(position, drag.to);
  }
  if (!drawn.began) {
    drawn.began = true;
    tell_line(LineDrag::Phase::Began);
  }
  tell_line(LineDrag::Phase::Moved);
}

void SliceView::Private::end_line() {
  if (!line_drag_) return;
  const bool clicked = !line_drag_->began;
  const bool on_mark = line_drag_->grip.has_value();
  if (!clicked) tell_line(LineDrag::Phase::Ended);
  const Vec3 place = line_drag_->drag.to;
  line_drag_.reset();
  // A click on a handle is an abandoned drag.
  if (clicked && !on_mark) emit view_.line_placed(place);
  view_.update();
}

void SliceView::Private::cancel_line() {
  if (!line_drag_) return;
  if (line_drag_->began) tell_line(LineDrag::Phase::Cancelled);
  line_drag_.reset();
  view_.update();
}

}  // namespace seedwave::ui
