// SPDX-License-Identifier: Apache-2.0
//
// Events of a slice view, in Qt's terms.
#include "ui/views/slice_hand.h"
#include "ui/views/slice_layers.h"
#include "ui/views/slice_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QTabletEvent>
#include <QWheelEvent>

namespace seedwave::ui {
namespace {

/// Slices that Shift+Up and Shift+Down move.
constexpr int kLongStep = 5;

}  // namespace

bool SliceHand::eventFilter(QObject* watched, QEvent* event) {
  if (event->isInputEvent() && !view_.isEnabled()) return false;
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      if (move_corner(*static_cast<QMouseEvent*>(event))) return true;
      interaction_.press(*static_cast<QMouseEvent*>(event));
      update_pointer_shape();
      return true;
    case QEvent::MouseMove:
      move(*static_cast<QMouseEvent*>(event));
      return true;
    case QEvent::MouseButtonRelease:
      if (move_corner(*static_cast<QMouseEvent*>(event))) return true;
      interaction_.release(*static_cast<QMouseEvent*>(event));
      interaction_.set_eraser_end(false);
      update_pointer_shape();
      return true;
    case QEvent::MouseButtonDblClick:
      interaction_.double_click(*static_cast<QMouseEvent*>(event));
      return true;
    case QEvent::Wheel:
      interaction_.wheel(*static_cast<QWheelEvent*>(event));
      event->accept();
      return true;
    case QEvent::TabletPress:
      interaction_.set_eraser_end(static_cast<QTabletEvent*>(event)->pointerType() ==
                                  QPointingDevice::PointerType::Eraser);
      break;  // the view ignores it, so that Qt synthesises mouse events: pens work like a mouse
    case QEvent::NativeGesture: {
      const auto* gesture = static_cast<QNativeGestureEvent*>(event);
      if (gesture->gestureType() != Qt::ZoomNativeGesture) break;
      zoom_by(1.0 + gesture->value(), gesture->position());
      return true;
    }
    case QEvent::KeyPress:
      return press_key(*static_cast<QKeyEvent*>(event));
    case QEvent::KeyRelease:
      return release_key(*static_cast<QKeyEvent*>(event));
    case QEvent::Leave:
      update_brush_mark(std::nullopt);
      end_hover();
      break;
    case QEvent::FocusOut:
      interaction_.set_space_held(false);
      update_pointer_shape();
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

void SliceHand::move(const QMouseEvent& event) {
  update_brush_mark(event.position());
  if (!move_corner(event)) interaction_.move(event);
  if (outline_) view_.update();  // its last edge follows the pointer
  if (layers_.line() || can_move_corners()) update_pointer_shape();
  if (layers_.line()) view_.update();  // the handle under the pointer may have changed
  update_hover();
}

bool SliceHand::can_move_corners() const {
  return tool() == Tool::Navigate && has_image() && view_.shows_regions();
}

bool SliceHand::move_corner(const QMouseEvent& event) {
  if (event.type() == QEvent::MouseButtonPress) {
    const bool is_plain = event.button() == Qt::LeftButton && event.modifiers() == Qt::NoModifier;
    return is_plain && can_move_corners() && !interaction_.space_held() &&
           corners_.take(event.position(), view_.world_in_view());
  }
  if (!corners_.holds()) return false;
  if (event.type() == QEvent::MouseMove) {
    corners_.drag(event.position(), view_.world_in_view());
  } else if (event.button() == Qt::LeftButton) {
    if (const auto region = corners_.release()) emit region_reshaped(*region);
  }
  view_.update();
  return true;
}

bool SliceHand::pan_by_key(const QKeyEvent& event) {
  if (!is_single_slice() || event.modifiers() & Qt::ControlModifier) return false;
  constexpr double kShareOfView = 0.1;
  const double share = event.modifiers() & Qt::ShiftModifier ? 5.0 * kShareOfView : kShareOfView;
  const QPointF step(share * view_.width(), share * view_.height());
  switch (event.key()) {
    case Qt::Key_Up:
      pan_by({0.0, step.y()});
      return true;
    case Qt::Key_Down:
      pan_by({0.0, -step.y()});
      return true;
    case Qt::Key_Left:
      pan_by({step.x(), 0.0});
      return true;
    case Qt::Key_Right:
      pan_by({-step.x(), 0.0});
      return true;
    default:
      return false;
  }
}

bool SliceHand::press_key(const QKeyEvent& event) {
  if (pan_by_key(event)) return true;
  const int step = event.modifiers() & Qt::ShiftModifier ? kLongStep : 1;
  const bool control = event.modifiers() & Qt::ControlModifier;
  switch (event.key()) {
    case Qt::Key_Up:
      control ? step_cursor(0, -1) : step_slice(-step);
      return true;
    case Qt::Key_Down:
      control ? step_cursor(0, 1) : step_slice(step);
      return true;
    case Qt::Key_Left:
      if (control) step_cursor(-1, 0);
      return control;
    case Qt::Key_Right:
      if (control) step_cursor(1, 0);
      return control;
    case Qt::Key_PageUp:
      step_slice(-step);
      return true;
    case Qt::Key_PageDown:
      step_slice(step);
      return true;
    case Qt::Key_Home:
      view_.go_to_slice(0);
      return true;
    case Qt::Key_End:
      view_.go_to_slice(view_.slice_count() - 1);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (event.modifiers() != Qt::NoModifier && event.modifiers() != Qt::KeypadModifier)
        return false;
      press_enter();
      return true;
    case Qt::Key_Escape:
      return cancel_drawing() || interaction_.cancel();
    case Qt::Key_Space:
      interaction_.set_space_held(true);
      update_pointer_shape();
      return true;
    default:
      return false;
  }
}

void SliceHand::press_enter() {
  if (tool() == Tool::Place) return emit place_picked(view_.display().cursor);
  if (tool() == Tool::Line) return emit line_placed(view_.display().cursor);
  if (is_outline_tool(tool())) return close_outline();
  if (paints()) stamp_brush();
}

bool SliceHand::release_key(const QKeyEvent& event) {
  if (event.key() != Qt::Key_Space) return false;
  if (event.isAutoRepeat()) return true;
  interaction_.set_space_held(false);
  update_pointer_shape();
  return true;
}

}  // namespace seedwave::ui
