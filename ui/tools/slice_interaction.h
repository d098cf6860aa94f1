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

enum class PaintKind { Seeds, Eraser };
/// Whether a line that is being drawn turns freely or in steps.
enum class LineSnap { Free, Steps };

/// What a slice view can be told by mouse and wheel; positions in logical pixels.
class SliceTarget {
 public:
  virtual void move_cursor(const QPointF& position) = 0;
  virtual void begin_stroke(PaintKind kind, const QPointF& position) = 0;
  virtual void extend_stroke(const QPointF& position) = 0;
  virtual void end_stroke() = 0;
  virtual void cancel_stroke() = 0;
  /// A line, from there on or by the mark that is there.
  virtual void begin_line(const QPointF& position) = 0;
  virtual void drag_line(const QPointF& position, LineSnap snap) = 0;
  virtual void end_line() = 0;
  virtual void cancel_line() = 0;
  /// The pixel there is the place that is meant.
  virtual void pick_place(const QPointF& position) = 0;
  [[nodiscard]] virtual GreyWindow window() const = 0;
  virtual void change_window(const GreyWindow& window) = 0;
  /// Shows the box that is being drawn; a null one takes it away.
  virtual void show_box(const QRectF& box) = 0;
  virtual void window_from_box(const QRectF& box) = 0;
  virtual void pan_by(const QPointF& delta) = 0;
  virtual void zoom_by(double factor, const QPointF& fixed) = 0;
  /// True for one slice only: the wheel then zooms.
  [[nodiscard]] virtual bool is_single_slice() const = 0;
  virtual void step_slice(int steps) = 0;
  virtual void resize_brush(int steps) = 0;
  virtual void request_menu(const QPointF& position) = 0;
  virtual void request_maximise() = 0;

 protected:
  ~SliceTarget() = default;
};

/// Turns mouse and wheel events into what they mean, by tool and bindings; knows nothing of
/// drawing.
class SliceInteraction {
 public:
  explicit SliceInteraction(SliceTarget& target) : target_(target) {}

  void set_tool(Tool tool);
  [[nodiscard]] Tool tool() const noexcept { return tool_; }
  void set_bindings(const Bindings& bindings);
  void set_space_held(bool held) noexcept { space_held_ = held; }
  /// The pen's eraser end touches the tablet until told otherwise.
  void set_eraser_end(bool used) noexcept { eraser_end_ = used; }

  void press(const QMouseEvent& event);
  void move(const QMouseEvent& event);
  void release(const QMouseEvent& event);
  void double_click(const QMouseEvent& event);
  void wheel(const QWheelEvent& event);
  /// Ends a drag without its effect where that is possible (a stroke, a box). True when there was
  /// one.
  bool cancel();
  /// What the drag in progress does.
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
  /// False while a right press may still become a click.
  bool started_ = false;
  QPointF pressed_;
  QPointF last_;
};

}  // namespace seedwave::ui
