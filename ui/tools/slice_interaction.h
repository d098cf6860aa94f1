// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "ui/tools/bindings.h"
#include "ui/tools/wheel_steps.h"

#include <QPointF>
#include <QRectF>

class QMouseEvent;
class QWheelEvent;

namespace seedwave::ui {

/// Painting, erasing, or (edits alone) giving voxels back to the result.
enum class PaintKind { Seeds, Eraser, Free };
/// Free rotation of a line that is being drawn, or rotation in fixed steps.
enum class LineSnap { Free, Steps };

/// The commands that mouse and wheel send to a slice view. Positions are in logical pixels.
class SliceTarget {
 public:
  virtual void move_cursor(const QPointF& position) = 0;
  virtual void begin_stroke(PaintKind kind, const QPointF& position) = 0;
  virtual void extend_stroke(const QPointF& position) = 0;
  virtual void end_stroke() = 0;
  virtual void cancel_stroke() = 0;
  /// Begins a new line at `position`, or grabs the handle there.
  virtual void begin_line(const QPointF& position) = 0;
  virtual void drag_line(const QPointF& position, LineSnap snap) = 0;
  virtual void end_line() = 0;
  virtual void cancel_line() = 0;
  /// Picks the pixel at `position` as the place.
  virtual void pick_place(const QPointF& position) = 0;
  [[nodiscard]] virtual GreyWindow window() const = 0;
  virtual void change_window(const GreyWindow& window) = 0;
  /// Shows the box that is being drawn; a null box hides it.
  virtual void show_box(const QRectF& box) = 0;
  virtual void window_from_box(const QRectF& box) = 0;
  virtual void pan_by(const QPointF& delta) = 0;
  virtual void zoom_by(double factor, const QPointF& fixed) = 0;
  /// Returns whether there is only one slice; the wheel then zooms.
  [[nodiscard]] virtual bool is_single_slice() const = 0;
  virtual void step_slice(int steps) = 0;
  virtual void resize_brush(int steps) = 0;
  virtual void request_menu(const QPointF& position) = 0;
  virtual void request_maximise() = 0;

 protected:
  ~SliceTarget() = default;
};

/// Translates mouse and wheel events into commands, according to tool and bindings. Does not draw.
class SliceInteraction {
 public:
  explicit SliceInteraction(SliceTarget& target) : target_(target) {}

  void set_tool(Tool tool);
  [[nodiscard]] Tool tool() const noexcept { return tool_; }
  void set_bindings(const Bindings& bindings);
  void set_space_held(bool held) noexcept { space_held_ = held; }
  /// Sets whether the pen touches the tablet with its eraser end, until the next call.
  void set_eraser_end(bool used) noexcept { eraser_end_ = used; }

  void press(const QMouseEvent& event);
  void move(const QMouseEvent& event);
  void release(const QMouseEvent& event);
  void double_click(const QMouseEvent& event);
  void wheel(const QWheelEvent& event);
  /// Ends the drag, without its effect where possible (a stroke, a box). Returns whether there was
  /// a drag.
  bool cancel();
  /// Returns the action of the current drag.
  [[nodiscard]] DragAction dragging() const noexcept { return started_ ? action_ : kNoAction; }
  [[nodiscard]] bool space_held() const noexcept { return space_held_; }

 private:
  static constexpr DragAction kNoAction = DragAction::None;
  void start(const QPointF& position);
  void drag_to(const QPointF& position, Qt::KeyboardModifiers modifiers);
  void finish(const QPointF& position);

  SliceTarget& target_;
  Tool tool_ = Tool::Navigate;
  Bindings bindings_ = bindings_of(BindingPreset::Seedwave);
  WheelSteps wheel_steps_;
  bool space_held_ = false;
  bool eraser_end_ = false;
  DragAction action_ = DragAction::None;
  Qt::MouseButton button_ = Qt::NoButton;
  /// Not set while a right press may still become a click.
  bool started_ = false;
  QPointF pressed_;
  QPointF last_;
};

}  // namespace seedwave::ui
