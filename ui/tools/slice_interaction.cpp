// SPDX-License-Identifier: Apache-2.0
#include "ui/tools/slice_interaction.h"

#include "ui/tools/window_drag.h"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace seedwave::ui {
namespace {

bool is_stroke(DragAction action) {
  return action == DragAction::Paint || action == DragAction::Erase || action == DragAction::Free;
}

/// A right press that moves less than this is a click.
constexpr double kClickPixels = 4.0;
constexpr double kZoomPerPixel = 0.008;
constexpr double kZoomPerStep = 1.2;
/// A smaller box was not intended.
constexpr double kLeastBox = 4.0;

}  // namespace

void SliceInteraction::set_tool(Tool tool) {
  if (tool == tool_) return;
  cancel();
  tool_ = tool;
}

void SliceInteraction::set_bindings(const Bindings& bindings) {
  cancel();
  bindings_ = bindings;
}

void SliceInteraction::press(const QMouseEvent& event) {
  // A second button pressed during a drag neither ends nor changes it.
  if (button_ != Qt::NoButton) return;
  button_ = event.button();
  action_ = drag_action(bindings_, {.tool = tool_,
                                    .button = event.button(),
                                    .modifiers = event.modifiers(),
                                    .space_held = space_held_,
                                    .eraser_end = eraser_end_});
  pressed_ = last_ = event.position();
  started_ = false;
  if (button_ != Qt::RightButton) start(event.position());
}

void SliceInteraction::start(const QPointF& position) {
  started_ = true;
  switch (action_) {
    case DragAction::MoveCursor:
      target_.move_cursor(position);
      break;
    case DragAction::Paint:
      target_.begin_stroke(PaintKind::Seeds, position);
      break;
    case DragAction::Erase:
      target_.begin_stroke(PaintKind::Eraser, position);
      break;
    case DragAction::Free:
      target_.begin_stroke(PaintKind::Free, position);
      break;
    case DragAction::Line:
      target_.begin_line(position);
      break;
    case DragAction::PickPlace:
      target_.pick_place(position);
      break;
    default:
      break;
  }
}

void SliceInteraction::move(const QMouseEvent& event) {
  const QPointF position = event.position();
  if (button_ == Qt::NoButton) {
    if (event.modifiers() == Qt::ShiftModifier && event.buttons() == Qt::NoButton) {
      target_.move_cursor(position);
    }
    return;
  }
  if (!started_) {
    const QPointF moved = position - pressed_;
    if (std::hypot(moved.x(), moved.y()) < kClickPixels) return;
    start(pressed_);
  }
  drag_to(position, event.modifiers());
  last_ = position;
}

void SliceInteraction::drag_to(const QPointF& position, Qt::KeyboardModifiers modifiers) {
  const QPointF delta = position - last_;
  switch (action_) {
    case DragAction::None:
    case DragAction::PickPlace:  // done by the press
      break;
    case DragAction::MoveCursor:
      // There are no other planes to move: a drag moves the image, as on a map.
      target_.is_single_slice() ? target_.pan_by(delta) : target_.move_cursor(position);
      break;
    case DragAction::Paint:
    case DragAction::Erase:
    case DragAction::Free:
      target_.extend_stroke(position);
      break;
    case DragAction::Window: {
      const DragGain gain = modifiers & Qt::ShiftModifier ? DragGain::Fine : DragGain::Coarse;
      target_.change_window(
          dragged_window(target_.window(), delta.x(), delta.y(), gain, bindings_.level_drag));
      break;
    }
    case DragAction::WindowFromBox:
      target_.show_box(QRectF(pressed_, position).normalized());
      break;
    case DragAction::Line:
      target_.drag_line(position, modifiers & Qt::ShiftModifier ? LineSnap::Steps : LineSnap::Free);
      break;
    case DragAction::Pan:
      target_.pan_by(delta);
      break;
    case DragAction::Zoom:
      target_.zoom_by(std::exp(-delta.y() * kZoomPerPixel), pressed_);
      break;
  }
}

void SliceInteraction::release(const QMouseEvent& event) {
  if (event.button() != button_) return;
  if (started_) {
    finish(event.position());
  } else {
    target_.request_menu(event.position());
  }
  button_ = Qt::NoButton;
  action_ = DragAction::None;
  started_ = false;
}

void SliceInteraction::finish(const QPointF& position) {
  if (is_stroke(action_)) target_.end_stroke();
  if (action_ == DragAction::Line) target_.end_line();
  if (action_ == DragAction::WindowFromBox) {
    const QRectF box = QRectF(pressed_, position).normalized();
    target_.show_box({});
    if (box.width() >= kLeastBox && box.height() >= kLeastBox) target_.window_from_box(box);
  }
}

void SliceInteraction::double_click(const QMouseEvent& event) {
  // Two quick clicks with a tool that sets something are two clicks: two dabs, lines or places.
  const bool sets = tool_ != Tool::Navigate && tool_ != Tool::WindowLevel;
  if (sets || event.button() != Qt::LeftButton) {
    press(event);
  } else {
    target_.request_maximise();
  }
}

void SliceInteraction::wheel(const QWheelEvent& event) {
  WheelAction action = wheel_action(bindings_, event.modifiers());
  if (action == WheelAction::Slice && target_.is_single_slice()) {
    if (is_touchpad(event)) {
      target_.pan_by(event.pixelDelta().isNull() ? QPointF(event.angleDelta()) / 8
                                                 : QPointF(event.pixelDelta()));
      return;
    }
    action = WheelAction::Zoom;
  }
  const int steps = wheel_steps_.add(event);
  if (steps == 0) return;
  switch (action) {
    case WheelAction::None:
      break;
    case WheelAction::Slice: {
      const bool towards_is_next = bindings_.wheel_direction == WheelDirection::TowardsUserIsNext;
      target_.step_slice(towards_is_next ? -steps : steps);
      break;
    }
    case WheelAction::Zoom:
      target_.zoom_by(std::pow(kZoomPerStep, steps), event.position());
      break;
    case WheelAction::BrushSize:
      target_.resize_brush(steps);
      break;
  }
}

bool SliceInteraction::cancel() {
  const bool was_dragging = started_;
  if (started_ && is_stroke(action_)) target_.cancel_stroke();
  if (started_ && action_ == DragAction::WindowFromBox) target_.show_box({});
  if (started_ && action_ == DragAction::Line) target_.cancel_line();
  button_ = Qt::NoButton;
  action_ = DragAction::None;
  started_ = false;
  return was_dragging;
}

}  // namespace seedwave::ui
