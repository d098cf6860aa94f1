// SPDX-License-Identifier: Apache-2.0
//
// Translates Qt's events for the interaction.
#include "ui/views/slice_view_private.h"

#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QTabletEvent>
#include <QWheelEvent>

namespace seedwave::ui {
namespace {

/// Slices that Shift+Up and Shift+Down move.
constexpr int kLongStep = 5;

}  // namespace

void SliceView::paintEvent(QPaintEvent* event) {
  QElapsedTimer timer;
  timer.start();
  // The ratio may have changed with the screen: Qt 6.4 has no event for it.
  const double ratio = devicePixelRatioF();
  if (d_->has_image()) {
    const QSize device = device_size(size(), ratio);
    d_->pipeline_.set_transform(SliceTransform(d_->axes(), d_->camera_, device), device, ratio);
  }
  {
    QPainter painter(this);
    painter.setClipRegion(event->region());
    d_->paint(painter);
  }
  emit painted(static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

void SliceView::resizeEvent(QResizeEvent* event) {
  d_->keep_in_place(event->oldSize());
  d_->apply_camera();
}

void SliceView::mousePressEvent(QMouseEvent* event) {
  d_->interaction_.press(*event);
  d_->update_pointer_shape();
}

void SliceView::mouseMoveEvent(QMouseEvent* event) {
  d_->update_brush_mark(event->position());
  d_->interaction_.move(*event);
  if (d_->line_) {
    d_->update_pointer_shape();
    update();  // the handle under the pointer may have changed
  }
  d_->tell_hover(event->position());
}

void SliceView::mouseReleaseEvent(QMouseEvent* event) {
  d_->interaction_.release(*event);
  d_->interaction_.set_eraser_end(false);
  d_->update_pointer_shape();
}

void SliceView::mouseDoubleClickEvent(QMouseEvent* event) {
  d_->interaction_.double_click(*event);
}

void SliceView::wheelEvent(QWheelEvent* event) {
  d_->interaction_.wheel(*event);
  event->accept();
}

void SliceView::tabletEvent(QTabletEvent* event) {
  if (event->type() == QEvent::TabletPress) {
    d_->interaction_.set_eraser_end(event->pointerType() == QPointingDevice::PointerType::Eraser);
  }
  // Ignored, so that Qt synthesises mouse events: pens then work like a mouse.
  event->ignore();
}

void SliceView::keyPressEvent(QKeyEvent* event) {
  const int step = event->modifiers() & Qt::ShiftModifier ? kLongStep : 1;
  const bool control = event->modifiers() & Qt::ControlModifier;
  switch (event->key()) {
    case Qt::Key_Up:
      return control ? step_cursor(0, -1) : go_to_slice(slice() - step);
    case Qt::Key_Down:
      return control ? step_cursor(0, 1) : go_to_slice(slice() + step);
    case Qt::Key_Left:
      if (control) return step_cursor(-1, 0);
      break;
    case Qt::Key_Right:
      if (control) return step_cursor(1, 0);
      break;
    case Qt::Key_PageUp:
      return go_to_slice(slice() - step);
    case Qt::Key_PageDown:
      return go_to_slice(slice() + step);
    case Qt::Key_Home:
      return go_to_slice(0);
    case Qt::Key_End:
      return go_to_slice(slice_count() - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier) {
        if (tool() == Tool::Place) return emit place_picked(d_->display_.cursor);
        if (tool() == Tool::Line) return emit line_placed(d_->display_.cursor);
        return stamp_brush();
      }
      break;
    case Qt::Key_Escape:
      if (d_->interaction_.cancel()) return;
      break;
    case Qt::Key_Space:
      d_->interaction_.set_space_held(true);
      return d_->update_pointer_shape();
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void SliceView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space) {
    if (event->isAutoRepeat()) return;
    d_->interaction_.set_space_held(false);
    return d_->update_pointer_shape();
  }
  QWidget::keyReleaseEvent(event);
}

void SliceView::leaveEvent(QEvent*) {
  d_->update_brush_mark(std::nullopt);
  d_->end_hover();
}

void SliceView::focusOutEvent(QFocusEvent* event) {
  d_->interaction_.set_space_held(false);
  d_->update_pointer_shape();
  QWidget::focusOutEvent(event);
}

void SliceView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) update();
  QWidget::changeEvent(event);
}

bool SliceView::event(QEvent* event) {
  if (event->type() == QEvent::NativeGesture) {
    const auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      d_->zoom_by(1.0 + gesture->value(), gesture->position());
      return true;
    }
  }
  return QWidget::event(event);
}

}  // namespace seedwave::ui
