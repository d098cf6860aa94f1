// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/edit_gesture.h"
#include "core/image/histogram.h"
#include "core/image/seed_set.h"
#include "ui/tools/bindings.h"
#include "ui/tools/brush.h"
#include "ui/tools/slice_interaction.h"
#include "ui/views/corner_hand.h"
#include "ui/views/marks.h"
#include "ui/views/slice_pipeline.h"
#include "ui/views/slice_state.h"

#include <QObject>
#include <QPointF>
#include <QRect>
#include <QRectF>

#include <cstddef>
#include <optional>
#include <vector>

class QKeyEvent;
class QMouseEvent;
class QPainter;

namespace seedwave::ui {

class SliceLayers;
class SliceView;

/// Mouse, pen and keys in a slice view: the tool, its brush and bindings, and the stroke or line
/// that is being drawn.
///
/// It filters the events of its view, sets cursor, camera and window of the view, and reports
/// everything else by signals.
class SliceHand : public QObject, private SliceTarget {
  Q_OBJECT

 public:
  /// All must outlive this.
  SliceHand(SliceView& view, const SlicePipeline& pipeline, SliceLayers& layers);

  void set_tool(Tool tool);
  [[nodiscard]] Tool tool() const noexcept { return interaction_.tool(); }
  void set_brush(const Brush& brush);
  [[nodiscard]] const Brush& brush() const noexcept { return brush_; }
  void set_bindings(const Bindings& bindings) { interaction_.set_bindings(bindings); }

  /// Cancels the stroke or line that is being drawn: the Esc key. Returns whether there was one.
  bool cancel_drawing();
  /// Cancels the drag, whatever it does.
  void cancel_drag() { interaction_.cancel(); }
  /// Cancels the stroke that is being drawn: it belongs to the slice where it began.
  void leave_slice();
  /// Returns whether a corner of the chosen region is being moved: the hand draws the region.
  [[nodiscard]] bool holds_corner() const noexcept { return corners_.holds(); }
  /// Emits the position under the pointer again: there is another slice now.
  void update_hover();
  /// Draws the brush, the box that is being drawn, and the line with its handles.
  void draw(QPainter& painter) const;

 signals:
  void stroke_started();
  void stroke_finished(const seedwave::Stroke& stroke);
  /// Emitted by the tools that edit by hand.
  void edited(const seedwave::EditGesture& gesture);
  /// Emitted by the tool that draws regions; label 0 for one without a class.
  void region_outlined(seedwave::Label label, const seedwave::Outline& outline);
  /// A corner of the chosen region has been moved.
  void region_reshaped(const seedwave::ui::ChosenRegion& region);
  void brush_changed(const seedwave::ui::Brush& brush);
  void window_changed(const seedwave::GreyWindow& window);
  /// Emitted by the line tool. The owner answers with SliceLayers::set_line().
  void line_dragged(const seedwave::ui::LineDrag& drag);
  /// Emitted by a click with the line tool, or Enter: the line is to be centred there.
  void line_placed(const seedwave::Vec3& world);
  /// Emitted by a click with the place tool inside the image, or Enter.
  void place_picked(const seedwave::Vec3& world);
  /// Emitted while the pointer is over the image.
  void hovered(const seedwave::ui::Hover& hover);
  /// Emitted when the pointer leaves the image or the view.
  void hover_ended();
  void maximise_requested();
  void context_menu_requested(const QPoint& global);

 private:
  /// A line that is being drawn. It does not exist until the pointer has moved.
  struct DrawnLine {
    LineDrag drag;
    std::optional<LineGrip> grip;
    QPointF pressed;
    bool began = false;
    /// The point where the middle was grabbed.
    Vec3 taken_at{0, 0, 0};
    LineMark before;
  };

  /// An outline that is being drawn, in slice coordinates: by dragging, or corner by corner.
  struct DrawnOutline {
    Label label = 0;
    /// The first point.
    QPointF begin;
    std::vector<QPointF> corners;
    /// The corners before the button went down.
    std::size_t before_press = 0;
  };

  bool eventFilter(QObject* watched, QEvent* event) override;
  void move(const QMouseEvent& event);
  /// Moves corners of the chosen region with the left button, while the tool sets nothing. Returns
  /// whether the event was for it.
  bool move_corner(const QMouseEvent& event);
  [[nodiscard]] bool can_move_corners() const;
  /// Moves a 2-D image by the arrow keys. Returns whether it was one.
  bool pan_by_key(const QKeyEvent& event);
  /// Returns whether the key has a meaning here.
  bool press_key(const QKeyEvent& event);
  void press_enter();
  bool release_key(const QKeyEvent& event);

  // SliceTarget: mouse and wheel, translated by the bindings.
  void move_cursor(const QPointF& position) override;
  void begin_stroke(PaintKind kind, const QPointF& position) override;
  void extend_stroke(const QPointF& position) override;
  void end_stroke() override;
  void cancel_stroke() override;
  void begin_line(const QPointF& position) override;
  void drag_line(const QPointF& position, LineSnap snap) override;
  void end_line() override;
  void cancel_line() override;
  void pick_place(const QPointF& position) override;
  [[nodiscard]] GreyWindow window() const override;
  void change_window(const GreyWindow& window) override;
  void show_box(const QRectF& box) override;
  void window_from_box(const QRectF& box) override;
  void pan_by(const QPointF& delta) override;
  void zoom_by(double factor, const QPointF& fixed) override;
  [[nodiscard]] bool is_single_slice() const override { return axes().slice_count() <= 1; }
  void step_slice(int steps) override;
  void resize_brush(int steps) override;
  void request_menu(const QPointF& position) override;
  void request_maximise() override { emit maximise_requested(); }

  [[nodiscard]] const PlaneAxes& axes() const { return pipeline_.axes(); }
  [[nodiscard]] bool has_image() const { return !pipeline_.image().empty(); }
  [[nodiscard]] bool paints() const {
    return tool() == Tool::Brush || tool() == Tool::Eraser || tool() == Tool::EditBrush;
  }
  /// Draws a part of the current stroke, which paints seeds or edits.
  void add_to_stroke(const Stroke& part);
  void begin_outline(Label label, const QPointF& position);
  void close_outline();
  void pick_part(Label label, const QPointF& position);
  void draw_outline(QPainter& painter) const;
  /// Moves the cursor by voxels to screen right and down.
  void step_cursor(int right, int down);
  /// Paints one dab of the brush at the cursor.
  void stamp_brush();
  void end_hover();
  void update_pointer_shape();
  void update_brush_mark(const std::optional<QPointF>& position);
  [[nodiscard]] QRect brush_rect(const QPointF& position) const;
  /// Returns the slice coordinates of a point of the widget.
  [[nodiscard]] QPointF slice_point(const QPointF& position) const;
  [[nodiscard]] QPointF widget_point(const QPointF& slice_point) const;
  [[nodiscard]] Vec3 world_at(const QPointF& position) const;
  /// Returns the world point at a position in the view, at the same depth as `like`.
  [[nodiscard]] Vec3 world_beside(const QPointF& position, const Vec3& like) const;
  /// Returns the handle of the line at `position`.
  [[nodiscard]] std::optional<LineGrip> grip_at(const QPointF& position) const;
  void tell_line(LineDrag::Phase phase);
  void draw_line(QPainter& painter, const LineMark& line) const;

  SliceView& view_;
  const SlicePipeline& pipeline_;
  SliceLayers& layers_;
  SliceInteraction interaction_{*this};
  Brush brush_;
  std::optional<StrokeBuilder> stroke_;
  std::optional<DrawnOutline> outline_;
  CornerHand corners_;
  QRectF box_;
  std::optional<DrawnLine> line_drag_;
  std::optional<QPointF> pointer_;
  bool hovering_ = false;
};

}  // namespace seedwave::ui
