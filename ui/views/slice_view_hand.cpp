// SPDX-License-Identifier: Apache-2.0
//
// Interaction with a slice view, and the state that follows from it.
#include "core/image/label_map.h"
#include "ui/views/slice_annotations.h"
#include "ui/views/slice_view_private.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace seedwave::ui {

Vec3 SliceView::Private::world_at(const QPointF& position) const {
  const QPointF at = pipeline_.transform().to_slice(position * view_.devicePixelRatioF());
  return axes().world_at(at.x(), at.y(), static_cast<double>(pipeline_.slice()));
}

void SliceView::Private::put_cursor(const Vec3& world) {
  if (world == display_.cursor) return;
  DisplayState display = display_;
  display.cursor = world;
  apply_display(display);
  emit view_.cursor_moved(world);
}

void SliceView::Private::move_cursor(const QPointF& position) {
  if (!has_image()) return;
  const QPointF at = pipeline_.transform().to_slice(position * view_.devicePixelRatioF());
  // The cursor stays on the image.
  const double u = std::clamp(at.x(), 0.0, static_cast<double>(axes().width() - 1));
  const double v = std::clamp(at.y(), 0.0, static_cast<double>(axes().height() - 1));
  put_cursor(axes().world_at(u, v, static_cast<double>(pipeline_.slice())));
}

void SliceView::Private::begin_stroke(PaintKind kind, const QPointF& position) {
  if (!has_image()) return;
  const Label label = kind == PaintKind::Eraser ? Label{0} : brush_.label;
  stroke_.emplace(brush_, label, PaintPlane{axes().normal(), axes().slice_spacing()},
                  world_at(position));
  emit view_.stroke_started();
  pipeline_.add_to_stroke(stroke_->stroke());
  update_dirty();
}

void SliceView::Private::extend_stroke(const QPointF& position) {
  if (!stroke_) return;
  if (const std::optional<Stroke> part = stroke_->add(world_at(position))) {
    pipeline_.add_to_stroke(*part);
    update_dirty();
  }
}

void SliceView::Private::end_stroke() {
  if (!stroke_) return;
  const Stroke stroke = stroke_->stroke();
  stroke_.reset();
  // The stroke stays on screen until set_seeds() includes it.
  emit view_.stroke_finished(stroke);
}

void SliceView::Private::cancel_stroke() {
  stroke_.reset();
  pipeline_.clear_stroke();
  view_.update();
}

void SliceView::Private::change_window(const GreyWindow& window) {
  if (window == display_.window || pipeline_.image().components() > 1) return;
  DisplayState display = display_;
  display.window = window;
  apply_display(display);
  emit view_.window_changed(window);
}

void SliceView::Private::show_box(const QRectF& box) {
  box_ = box;
  view_.update();
}

void SliceView::Private::window_from_box(const QRectF& box) {
  if (!has_image() || pipeline_.image().components() > 1) return;
  const double ratio = view_.devicePixelRatioF();
  const QPointF low = pipeline_.transform().to_slice(box.topLeft() * ratio);
  const QPointF high = pipeline_.transform().to_slice(box.bottomRight() * ratio);
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

void SliceView::Private::pan_by(const QPointF& delta) {
  if (!has_image()) return;
  const double ratio = view_.devicePixelRatioF();
  camera_ = panned(axes(), camera_, device_size(view_.size(), ratio), delta * ratio);
  apply_camera();
  emit view_.camera_changed(camera_);
}

void SliceView::Private::zoom_by(double factor, const QPointF& fixed) {
  if (!has_image()) return;
  const double ratio = view_.devicePixelRatioF();
  camera_ = zoomed_about(axes(), camera_, device_size(view_.size(), ratio), factor, fixed * ratio);
  apply_camera();
  emit view_.camera_changed(camera_);
}

void SliceView::Private::keep_in_place(const QSize& before) {
  const QSize window = view_.window()->size();
  const bool same_window = std::exchange(window_size_, window) == window;
  const QSize change = view_.size() - before;
  const bool one_side = change.width() == 0 || change.height() == 0;
  if (!same_window || !one_side || !before.isValid() || !view_.isVisible()) return;
  if (!has_image() || camera_ == SliceCamera{}) return;
  const double ratio = view_.devicePixelRatioF();
  camera_ =
      kept_in_place(axes(), camera_, device_size(before, ratio), device_size(view_.size(), ratio));
}

void SliceView::Private::pick_place(const QPointF& position) {
  if (!has_image()) return;
  const Hover hover = view_.hover_at(position);
  if (pipeline_.image().geometry().contains(hover.index)) emit view_.place_picked(hover.world);
}

void SliceView::Private::step_slice(int steps) {
  view_.go_to_slice(pipeline_.slice() + steps);
}

void SliceView::Private::resize_brush(int steps) {
  view_.set_brush(brush_.resized(steps));
  emit view_.brush_changed(brush_);
}

void SliceView::Private::request_menu(const QPointF& position) {
  emit view_.context_menu_requested(view_.mapToGlobal(position.toPoint()));
}

// ------------------------------------------------------------------------ state

void SliceView::Private::apply_axes() {
  pipeline_.set_axes(
      PlaneAxes(pipeline_.image().geometry(), plane_, display_.convention, display_.in_patient));
  pipeline_.set_slice(axes().slice_of(display_.cursor));
  apply_camera();
}

void SliceView::Private::apply_camera() {
  const double ratio = view_.devicePixelRatioF();
  const QSize device = device_size(view_.size(), ratio);
  const SliceTransform transform =
      has_image() ? SliceTransform(axes(), camera_, device) : SliceTransform{};
  pipeline_.set_transform(transform, device, ratio);
  view_.update();
}

void SliceView::Private::apply_display(const DisplayState& display) {
  const DisplayState before = std::exchange(display_, display);
  const bool turned =
      before.convention != display.convention || before.in_patient != display.in_patient;
  if (turned && has_image()) apply_axes();
  pipeline_.set_display(display);
  if (has_image()) {
    const std::int64_t slice = axes().slice_of(display.cursor);
    // A stroke belongs to the slice where it began, and ends when the slice changes.
    if (slice != pipeline_.slice() && stroke_) interaction_.cancel();
    const bool told_anew = slice != pipeline_.slice() || before.window != display.window;
    pipeline_.set_slice(slice);
    if (told_anew) describe();
  }
  view_.update();
}

void SliceView::Private::tell_hover(const QPointF& position) {
  if (!has_image()) return;
  const Hover hover = view_.hover_at(position);
  if (pipeline_.image().geometry().contains(hover.index)) {
    hovering_ = true;
    emit view_.hovered(hover);
  } else {
    end_hover();
  }
}

void SliceView::Private::end_hover() {
  if (!std::exchange(hovering_, false)) return;
  emit view_.hover_ended();
}

void SliceView::Private::update_pointer_shape() {
  if (interaction_.space_held() || interaction_.dragging() == DragAction::Pan) {
    view_.setCursor(interaction_.dragging() == DragAction::Pan ? Qt::ClosedHandCursor
                                                               : Qt::OpenHandCursor);
  } else {
    const bool over_mark = pointer_ && grip_at(*pointer_);
    view_.setCursor(over_mark ? Qt::SizeAllCursor : Qt::CrossCursor);
  }
}

void SliceView::Private::describe() {
  QString text = has_image()
                     ? SliceView::tr("Slice %1 of %2, window width %3, level %4")
                           .arg(pipeline_.slice() + 1)
                           .arg(axes().slice_count())
                           .arg(window_number(display_.window.width, display_.window.width),
                                window_number(display_.window.centre, display_.window.width))
                     : SliceView::tr("No image");
  if (has_image() && line_) text += SliceView::tr(", line %1").arg(line_->text);
  view_.setAccessibleDescription(text);
}

QColor SliceView::Private::label_color() const {
  return QColor(LabelPainter(labels_).color(brush_.label) | 0xFF000000U);
}

}  // namespace seedwave::ui
