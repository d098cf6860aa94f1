// SPDX-License-Identifier: Apache-2.0
//
// Drawing and moving the line of a slice view. The owner converts it to values.
#include "core/image/vec3.h"
#include "ui/views/slice_hand.h"
#include "ui/views/slice_layers.h"
#include "ui/views/slice_view.h"

#include <QLineF>
#include <QPainter>

#include <cmath>

namespace seedwave::ui {
namespace {

/// A press that moves less than this is a click.
constexpr double kClickPixels = 4.0;

}  // namespace

std::optional<LineGrip> SliceHand::grip_at(const QPointF& position) const {
  const std::optional<LineMark>& line = layers_.line();
  if (!line || !has_image()) return std::nullopt;
  return ui::grip_at(view_.position_of(line->from), view_.position_of(line->to), position);
}

Vec3 SliceHand::world_beside(const QPointF& position, const Vec3& like) const {
  const QPointF at = slice_point(position);
  return axes().world_at(at.x(), at.y(), axes().slice_coordinates(like)[2]);
}

void SliceHand::tell_line(LineDrag::Phase phase) {
  LineDrag drag = line_drag_->drag;
  drag.phase = phase;
  emit line_dragged(drag);
}

void SliceHand::begin_line(const QPointF& position) {
  if (!has_image()) return;
  line_drag_.emplace();
  line_drag_->grip = grip_at(position);
  line_drag_->pressed = position;
  LineDrag& drag = line_drag_->drag;
  drag.slice_axis = axes().slice_axis();
  drag.from = drag.to = world_at(position);
  if (!line_drag_->grip) return;
  const LineMark& line = *layers_.line();
  line_drag_->before = line;
  const LineGrip grip = *line_drag_->grip;
  drag.kind = grip == LineGrip::Middle ? LineDrag::Kind::Moved : LineDrag::Kind::Drawn;
  // The held end comes last; the other end is fixed.
  drag.from = grip == LineGrip::From ? line.to : line.from;
  drag.to = grip == LineGrip::From ? line.from : line.to;
  line_drag_->taken_at = world_beside(position, line.from);
}

void SliceHand::drag_line(const QPointF& position, LineSnap snap) {
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

void SliceHand::end_line() {
  if (!line_drag_) return;
  const bool clicked = !line_drag_->began;
  const bool on_mark = line_drag_->grip.has_value();
  if (!clicked) tell_line(LineDrag::Phase::Ended);
  const Vec3 place = line_drag_->drag.to;
  line_drag_.reset();
  // A click on a handle is an abandoned drag.
  if (clicked && !on_mark) emit line_placed(place);
  view_.update();
}

void SliceHand::cancel_line() {
  if (!line_drag_) return;
  if (line_drag_->began) tell_line(LineDrag::Phase::Cancelled);
  line_drag_.reset();
  view_.update();
}

void SliceHand::draw_line(QPainter& painter, const LineMark& line) const {
  const double middle =
      (axes().slice_coordinates(line.from)[2] + axes().slice_coordinates(line.to)[2]) / 2;
  LineMarkState state{.from = view_.position_of(line.from),
                      .to = view_.position_of(line.to),
                      .text = line.text,
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

}  // namespace seedwave::ui
