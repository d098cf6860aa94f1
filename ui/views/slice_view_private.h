// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/tools/slice_interaction.h"
#include "ui/views/line_mark.h"
#include "ui/views/slice_pipeline.h"
#include "ui/views/slice_view.h"
#include "ui/views/voxel_outline.h"

#include <QRectF>
#include <QSize>

#include <optional>
#include <vector>

class QPainter;

namespace seedwave::ui {

/// The implementation of a slice view: its state and its interaction.
///
/// slice_view_hand.cpp handles mouse, pen and keys, slice_view_drawing.cpp the drawing.
/// slice_view.cpp is the interface for owners, slice_view_events.cpp the one for Qt.
class SliceView::Private final : public SliceTarget {
 public:
  Private(SliceView& view, PlaneKind plane) : view_(view), plane_(plane), interaction_(*this) {}

  // SliceTarget: user input.
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
  [[nodiscard]] GreyWindow window() const override { return display_.window; }
  void change_window(const GreyWindow& window) override;
  void show_box(const QRectF& box) override;
  void window_from_box(const QRectF& box) override;
  void pan_by(const QPointF& delta) override;
  void zoom_by(double factor, const QPointF& fixed) override;
  [[nodiscard]] bool is_single_slice() const override { return axes().slice_count() <= 1; }
  void step_slice(int steps) override;
  void resize_brush(int steps) override;
  void request_menu(const QPointF& position) override;
  void request_maximise() override { emit view_.maximise_requested(); }

  [[nodiscard]] const PlaneAxes& axes() const { return pipeline_.axes(); }
  [[nodiscard]] bool has_image() const { return !pipeline_.image().empty(); }
  [[nodiscard]] bool paints() const {
    return interaction_.tool() == Tool::Brush || interaction_.tool() == Tool::Eraser;
  }
  void apply_axes();
  void apply_display(const DisplayState& display);
  void apply_camera();
  void put_cursor(const Vec3& world);
  void tell_hover(const QPointF& position);
  void end_hover();
  void update_pointer_shape();
  /// Returns the handle of the line at `position`.
  [[nodiscard]] std::optional<LineGrip> grip_at(const QPointF& position) const;
  /// Returns the world point at a position in the view, at the same depth as `like`.
  [[nodiscard]] Vec3 world_beside(const QPointF& position, const Vec3& like) const;
  void tell_line(LineDrag::Phase phase);
  void describe();
  /// Repaints the region that the pipeline would draw again.
  void update_dirty();
  void update_brush_mark(const std::optional<QPointF>& position);
  [[nodiscard]] QRect brush_rect(const QPointF& position) const;
  [[nodiscard]] Vec3 world_at(const QPointF& position) const;
  /// Returns whether the user wants to see a map, which may not exist.
  [[nodiscard]] bool map_wanted() const {
    return display_.overlay.show_result && display_.overlay.kind == OverlayKind::Map;
  }
  [[nodiscard]] QColor label_color() const;
  void paint(QPainter& painter);
  void draw_line(QPainter& painter);
  /// Draws the outline of the selected voxels.
  void draw_chosen(QPainter& painter);

  /// Keeps a zoomed image in place when the layout beside the view changes, for example when a dock
  /// opens. A fitted image is fitted again.
  void keep_in_place(const QSize& before);

  SliceView& view_;
  PlaneKind plane_;
  SliceInteraction interaction_;
  SlicePipeline pipeline_;
  VoxelOutline chosen_;
  DisplayState display_;
  SliceCamera camera_;
  QSize window_size_;  // size of the window when the view got its size
  CornerTexts texts_;
  Brush brush_;
  std::vector<LabelStyle> labels_;
  std::optional<ResultStyles> result_styles_;
  ScalarMap map_;
  QString map_note_;
  std::optional<StrokeBuilder> stroke_;
  QRectF box_;
  std::optional<LineMark> line_;
  std::optional<Vec3> place_;
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
  std::optional<DrawnLine> line_drag_;
  std::optional<QPointF> pointer_;
  bool hovering_ = false;
};

}  // namespace seedwave::ui
