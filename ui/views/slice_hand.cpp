// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_hand.h"

#include "core/image/fixed_voxels.h"
#include "core/image/geometry.h"
#include "ui/views/slice_annotations.h"
#include "ui/views/slice_layers.h"
#include "ui/views/slice_transform.h"
#include "ui/views/slice_view.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace seedwave::ui {

namespace {

/// An outline with more points than this at its first release was dragged.
constexpr std::size_t kFewestDragged = 6;
/// A click this near to the first or last corner closes an outline.
constexpr double kNearPixels = 6.0;

/// Returns the corners of the rectangle between two points, or of the ellipse in it.
std::vector<QPointF> shape_between(const QPointF& begin, const QPointF& end, bool ellipse) {
  const QRectF box = QRectF(begin, end).normalized();
  if (!ellipse) return {box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()};
  constexpr int kCorners = 72;
  std::vector<QPointF> corners;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kCorners;
    corners.push_back(box.center() + QPointF(0.5 * box.width() * std::cos(angle),
                                             0.5 * box.height() * std::sin(angle)));
  }
  return corners;
}

}  // namespace

SliceHand::SliceHand(SliceView& view, const SlicePipeline& pipeline, SliceLayers& layers)
    : view_(view), pipeline_(pipeline), layers_(layers), corners_(layers) {
  view_.installEventFilter(this);
  // The stroke being drawn is kept.
  connect(&layers_, &SliceLayers::seeds_replaced, this, [this] {
    if (stroke_ && tool() != Tool::EditBrush) layers_.add_to_stroke(stroke_->stroke());
  });
  connect(&layers_, &SliceLayers::result_replaced, this, [this] {
    if (stroke_ && tool() == Tool::EditBrush) layers_.add_to_edit(stroke_->stroke());
  });
  update_pointer_shape();
}

void SliceHand::set_tool(Tool tool) {
  if (tool == interaction_.tool()) return;
  outline_.reset();
  corners_.cancel();
  interaction_.set_tool(tool);
  update_pointer_shape();
  view_.update();
}

void SliceHand::set_brush(const Brush& brush) {
  if (brush == brush_) return;
  brush_ = brush;
  view_.update();
}

bool SliceHand::cancel_drawing() {
  const bool drawn = stroke_.has_value() || line_drag_.has_value() || outline_.has_value();
  if (drawn) interaction_.cancel();
  if (outline_) cancel_stroke();
  if (!corners_.holds()) return drawn;
  corners_.cancel();
  view_.update();
  return true;
}

void SliceHand::leave_slice() {
  if (stroke_ || outline_) cancel_drawing();
}

void SliceHand::update_hover() {
  if (!pointer_ || !has_image()) return;
  const Hover hover = view_.hover_at(*pointer_);
  if (pipeline_.image().geometry().contains(hover.index)) {
    hovering_ = true;
    emit hovered(hover);
  } else {
    end_hover();
  }
}

void SliceHand::end_hover() {
  if (!std::exchange(hovering_, false)) return;
  emit hover_ended();
}

void SliceHand::draw(QPainter& painter) const {
  if (pointer_ && paints()) {
    const bool erases = tool() == Tool::Eraser || interaction_.dragging() == DragAction::Erase;
    const double pixels_a_mm = pipeline_.transform().mm_pixels / view_.devicePixelRatioF();
    draw_brush(painter, *pointer_, brush_.radius_mm * pixels_a_mm,
               erases ? BrushMark::Eraser : BrushMark::Seeds, layers_.color_of(brush_.label));
  }
  if (outline_) draw_outline(painter);
  if (can_move_corners()) corners_.draw(painter, view_.world_in_view());
  if (!box_.isNull()) draw_box(painter, box_);
  if (const auto& line = layers_.line()) draw_line(painter, *line);
}

// ------------------------------------------------------------ strokes and places

void SliceHand::begin_stroke(PaintKind kind, const QPointF& position) {
  if (!has_image()) return;
  Label label = kind == PaintKind::Seeds ? brush_.label : Label{0};
  if (is_edit_tool(tool()) && kind == PaintKind::Eraser) label = kFixedAsNone;
  if (is_outline_tool(tool())) return begin_outline(label, position);
  if (tool() == Tool::EditPart) return pick_part(label, position);
  stroke_.emplace(brush_, label, PaintPlane{axes().normal(), axes().slice_spacing()},
                  world_at(position));
  emit stroke_started();
  add_to_stroke(stroke_->stroke());
}

void SliceHand::add_to_stroke(const Stroke& part) {
  tool() == Tool::EditBrush ? layers_.add_to_edit(part) : layers_.add_to_stroke(part);
}

void SliceHand::extend_stroke(const QPointF& position) {
  if (outline_) {
    if (is_shape_tool(tool())) {
      outline_->corners =
          shape_between(outline_->begin, slice_point(position), tool() == Tool::RegionEllipse);
    } else {
      outline_->corners.push_back(slice_point(position));
    }
    view_.update();
  }
  if (!stroke_) return;
  if (const std::optional<Stroke> part = stroke_->add(world_at(position))) add_to_stroke(*part);
}

void SliceHand::end_stroke() {
  // A drag is a whole outline or a stretch of one; a click is a corner.
  if (outline_ && is_shape_tool(tool())) {
    if (outline_->corners.size() > 1) return close_outline();
    return cancel_stroke();
  }
  if (outline_ && outline_->before_press == 0 && outline_->corners.size() > kFewestDragged)
    return close_outline();
  if (!stroke_) return;
  const Stroke stroke = stroke_->stroke();
  stroke_.reset();
  // The stroke stays on screen until set_seeds() or set_result() includes it.
  if (tool() == Tool::EditBrush) {
    emit edited({.label = stroke.label, .shape = stroke});
  } else {
    emit stroke_finished(stroke);
  }
}

void SliceHand::cancel_stroke() {
  stroke_.reset();
  outline_.reset();
  layers_.clear_stroke();
  layers_.clear_edit();
}

void SliceHand::begin_outline(Label label, const QPointF& position) {
  const QPointF corner = slice_point(position);
  if (is_shape_tool(tool())) outline_.reset();
  if (outline_ && outline_->corners.size() >= 3) {
    const auto is_near = [&](const QPointF& other) {
      const QPointF away = widget_point(other) - position;
      return std::hypot(away.x(), away.y()) <= kNearPixels;
    };
    if (is_near(outline_->corners.front()) || is_near(outline_->corners.back()))
      return close_outline();
  }
  if (!outline_) outline_.emplace(DrawnOutline{.label = label, .begin = corner, .corners = {}});
  outline_->before_press = outline_->corners.size();
  outline_->corners.push_back(corner);
  view_.update();
}

void SliceHand::close_outline() {
  if (!outline_) return;
  const DrawnOutline drawn = *std::exchange(outline_, std::nullopt);
  view_.update();
  Outline outline{.slice_axis = axes().slice_axis(),
                  .slice = pipeline_.slice(),
                  .axes = {axes().right_axis(), axes().down_axis()},
                  .corners = {}};
  for (const QPointF& corner : drawn.corners) {
    const Vec3 index = axes().geometry().to_index(
        axes().world_at(corner.x(), corner.y(), static_cast<double>(pipeline_.slice())));
    outline.corners.push_back({index[outline.axes[0]], index[outline.axes[1]]});
  }
  if (is_region_tool(tool())) return emit region_outlined(drawn.label, outline);
  emit edited({.label = drawn.label, .shape = outline});
}

void SliceHand::pick_part(Label label, const QPointF& position) {
  const Hover hover = view_.hover_at(position);
  if (pipeline_.image().geometry().contains(hover.index))
    emit edited({.label = label, .shape = PartAround{hover.index}});
}

void SliceHand::draw_outline(QPainter& painter) const {
  QPolygonF line;
  for (const QPointF& corner : outline_->corners)
    line << widget_point(corner);
  if (pointer_ && !is_shape_tool(tool())) line << *pointer_;
  const bool none = outline_->label == kFixedAsNone || outline_->label == 0;
  const QColor colour = none ? QColor(Qt::white) : layers_.color_of(outline_->label);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Qt::black, 3));
  painter.drawPolyline(line);
  painter.setPen(QPen(colour, 1.5));
  painter.drawPolyline(line);
  // The edge that closing adds.
  painter.setPen(QPen(colour, 1, Qt::DashLine));
  painter.drawLine(line.back(), line.front());
}

void SliceHand::stamp_brush() {
  if (!has_image()) return;
  const PaintKind kind = tool() == Tool::Eraser ? PaintKind::Eraser : PaintKind::Seeds;
  begin_stroke(kind, view_.position_of(view_.display().cursor));
  end_stroke();
}

void SliceHand::resize_brush(int steps) {
  set_brush(brush_.resized(steps));
  emit brush_changed(brush_);
}

void SliceHand::pick_place(const QPointF& position) {
  if (!has_image()) return;
  const Hover hover = view_.hover_at(position);
  if (pipeline_.image().geometry().contains(hover.index)) emit place_picked(hover.world);
}

// ------------------------------------------------------- cursor, camera and window

void SliceHand::move_cursor(const QPointF& position) {
  if (!has_image()) return;
  const QPointF at = slice_point(position);
  // The cursor stays on the image.
  const double u = std::clamp(at.x(), 0.0, static_cast<double>(axes().width() - 1));
  const double v = std::clamp(at.y(), 0.0, static_cast<double>(axes().height() - 1));
  view_.move_cursor(axes().world_at(u, v, static_cast<double>(pipeline_.slice())));
}

void SliceHand::step_cursor(int right, int down) {
  if (!has_image()) return;
  const Vec3 at = axes().slice_coordinates(view_.display().cursor);
  const auto stepped = [](double value, int step, std::int64_t count) {
    return std::clamp(std::round(value) + step, 0.0, static_cast<double>(count - 1));
  };
  view_.move_cursor(axes().world_at(stepped(at[0], right, axes().width()),
                                    stepped(at[1], down, axes().height()),
                                    static_cast<double>(pipeline_.slice())));
}

void SliceHand::step_slice(int steps) {
  view_.go_to_slice(pipeline_.slice() + steps);
}

void SliceHand::pan_by(const QPointF& delta) {
  if (!has_image()) return;
  const double ratio = view_.devicePixelRatioF();
  view_.move_camera(
      panned(axes(), view_.camera(), device_size(view_.size(), ratio), delta * ratio));
}

void SliceHand::zoom_by(double factor, const QPointF& fixed) {
  if (!has_image()) return;
  const double ratio = view_.devicePixelRatioF();
  view_.move_camera(zoomed_about(axes(), view_.camera(), device_size(view_.size(), ratio), factor,
                                 fixed * ratio));
}

GreyWindow SliceHand::window() const {
  return view_.display().window;
}

void SliceHand::change_window(const GreyWindow& window) {
  if (window == view_.display().window || pipeline_.image().components() > 1) return;
  DisplayState display = view_.display();
  display.window = window;
  view_.set_display(display);
  emit window_changed(window);
}

void SliceHand::show_box(const QRectF& box) {
  box_ = box;
  view_.update();
}

void SliceHand::window_from_box(const QRectF& box) {
  if (!has_image() || pipeline_.image().components() > 1) return;
  const QPointF low = slice_point(box.topLeft());
  const QPointF high = slice_point(box.bottomRight());
  const auto clamped = [](double value, std::int64_t count) {
    return std::llround(std::clamp(value, 0.0, static_cast<double>(count - 1)));
  };
  Box voxels{pipeline_.image().geometry().size, {0, 0, 0}};
  voxels.include(axes().index_at(clamped(low.x(), axes().width()),
                                 clamped(low.y(), axes().height()), pipeline_.slice()));
  voxels.include(axes().index_at(clamped(high.x(), axes().width()),
                                 clamped(high.y(), axes().height()), pipeline_.slice()));
  change_window(automatic_window(pipeline_.image(), voxels, WindowRule::Percentiles));
}

void SliceHand::request_menu(const QPointF& position) {
  emit context_menu_requested(view_.mapToGlobal(position.toPoint()));
}

// ---------------------------------------------------------------------- positions

QPointF SliceHand::widget_point(const QPointF& slice_point) const {
  return pipeline_.transform().to_device(slice_point.x(), slice_point.y()) /
         view_.devicePixelRatioF();
}

QPointF SliceHand::slice_point(const QPointF& position) const {
  return pipeline_.transform().to_slice(position * view_.devicePixelRatioF());
}

Vec3 SliceHand::world_at(const QPointF& position) const {
  const QPointF at = slice_point(position);
  return axes().world_at(at.x(), at.y(), static_cast<double>(pipeline_.slice()));
}

QRect SliceHand::brush_rect(const QPointF& position) const {
  const double radius =
      brush_.radius_mm * pipeline_.transform().mm_pixels / view_.devicePixelRatioF() + 4;
  return QRectF(position.x() - radius, position.y() - radius, 2 * radius, 2 * radius)
      .toAlignedRect();
}

void SliceHand::update_brush_mark(const std::optional<QPointF>& position) {
  const std::optional<QPointF> before = std::exchange(pointer_, position);
  if (!paints() || !has_image()) return;
  if (before) view_.update(brush_rect(*before));
  if (pointer_) view_.update(brush_rect(*pointer_));
}

void SliceHand::update_pointer_shape() {
  if (interaction_.space_held() || interaction_.dragging() == DragAction::Pan) {
    view_.setCursor(interaction_.dragging() == DragAction::Pan ? Qt::ClosedHandCursor
                                                               : Qt::OpenHandCursor);
  } else {
    const bool over_corner =
        pointer_ && can_move_corners() && corners_.is_over_corner(*pointer_, view_.world_in_view());
    const bool over_mark = over_corner || (pointer_ && grip_at(*pointer_));
    view_.setCursor(over_mark ? Qt::SizeAllCursor : Qt::CrossCursor);
  }
}

}  // namespace seedwave::ui
