// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_view.h"

#include "ui/tools/slice_interaction.h"
#include "ui/views/slice_annotations.h"
#include "ui/views/slice_pipeline.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QTabletEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <optional>

namespace seedwave::ui {
namespace {

/// Slices that Shift+Up and Shift+Down move.
constexpr int kLongStep = 5;

QString accessible_name(PlaneKind plane) {
  switch (plane) {
    case PlaneKind::Axial:
      return SliceView::tr("Axial view");
    case PlaneKind::Coronal:
      return SliceView::tr("Coronal view");
    case PlaneKind::Sagittal:
      break;
  }
  return SliceView::tr("Sagittal view");
}

}  // namespace

class SliceView::Private final : public SliceTarget {
 public:
  Private(SliceView& view, PlaneKind plane) : view_(view), plane_(plane), interaction_(*this) {}

  // SliceTarget: what the hand does.
  void move_cursor(const QPointF& position) override;
  void begin_stroke(PaintKind kind, const QPointF& position) override;
  void extend_stroke(const QPointF& position) override;
  void end_stroke() override;
  void cancel_stroke() override;
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
  void describe();
  /// Repaints what the pipeline would draw anew.
  void update_dirty();
  void update_brush_mark(const std::optional<QPointF>& position);
  [[nodiscard]] QRect brush_rect(const QPointF& position) const;
  [[nodiscard]] Vec3 world_at(const QPointF& position) const;
  [[nodiscard]] bool strength_shown() const {
    return display_.overlay.show_result && display_.overlay.kind == OverlayKind::Strength &&
           has_strength_;
  }
  [[nodiscard]] QColor label_color() const;
  void paint(QPainter& painter);

  SliceView& view_;
  PlaneKind plane_;
  SliceInteraction interaction_;
  SlicePipeline pipeline_;
  DisplayState display_;
  SliceCamera camera_;
  CornerTexts texts_;
  Brush brush_;
  std::vector<LabelStyle> labels_;
  bool has_strength_ = false;
  std::optional<StrokeBuilder> stroke_;
  QRectF box_;
  std::optional<QPointF> pointer_;
  bool hovering_ = false;
};

// ------------------------------------------------------------------------ what the hand does

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
  const std::uint16_t label = kind == PaintKind::Eraser ? std::uint16_t{0} : brush_.label;
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
  // Stays on screen until the seeds come back with it.
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
  pipeline_.set_axes(PlaneAxes(pipeline_.image().geometry(), plane_, display_.convention));
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
  if (before.convention != display.convention && has_image()) apply_axes();
  pipeline_.set_display(display);
  if (has_image()) {
    const std::int64_t slice = axes().slice_of(display.cursor);
    // A stroke belongs to the slice on which it began: it ends where the slice changes.
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
    view_.setCursor(Qt::CrossCursor);
  }
}

void SliceView::Private::describe() {
  view_.setAccessibleDescription(
      has_image() ? SliceView::tr("Slice %1 of %2, window width %3, level %4")
                        .arg(pipeline_.slice() + 1)
                        .arg(axes().slice_count())
                        .arg(window_number(display_.window.width, display_.window.width),
                             window_number(display_.window.centre, display_.window.width))
                  : SliceView::tr("No image"));
}

QColor SliceView::Private::label_color() const {
  return QColor(LabelPainter(labels_).color(brush_.label) | 0xFF000000U);
}

// ------------------------------------------------------------------------ drawing

void SliceView::Private::update_dirty() {
  const double ratio = view_.devicePixelRatioF();
  const QRect dirty = pipeline_.dirty();
  view_.update(QRectF(dirty.left() / ratio, dirty.top() / ratio, dirty.width() / ratio,
                      dirty.height() / ratio)
                   .toAlignedRect());
}

QRect SliceView::Private::brush_rect(const QPointF& position) const {
  const double radius =
      brush_.radius_mm * pipeline_.transform().mm_pixels / view_.devicePixelRatioF() + 4;
  return QRectF(position.x() - radius, position.y() - radius, 2 * radius, 2 * radius)
      .toAlignedRect();
}

void SliceView::Private::update_brush_mark(const std::optional<QPointF>& position) {
  const std::optional<QPointF> before = std::exchange(pointer_, position);
  if (!paints() || !has_image()) return;
  if (before) view_.update(brush_rect(*before));
  if (pointer_) view_.update(brush_rect(*pointer_));
}

void SliceView::Private::paint(QPainter& painter) {
  const double ratio = view_.devicePixelRatioF();
  painter.drawImage(QPointF(0, 0), pipeline_.render());
  if (!has_image()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  if (display_.show_crosshair) {
    draw_crosshair(painter, view_.position_of(display_.cursor), view_.size());
  }
  draw_annotations(painter, {.axes = axes(),
                             .display = display_,
                             .texts = texts_,
                             .size = view_.size(),
                             .mm_pixels = pipeline_.transform().mm_pixels / ratio,
                             .zoom = camera_.zoom,
                             .slice = pipeline_.slice(),
                             .is_color = pipeline_.image().components() > 1,
                             .strength_shown = strength_shown()});
  if (pointer_ && paints()) {
    const bool erases =
        interaction_.tool() == Tool::Eraser || interaction_.dragging() == DragAction::Erase;
    draw_brush(painter, *pointer_, brush_.radius_mm * pipeline_.transform().mm_pixels / ratio,
               erases ? BrushMark::Eraser : BrushMark::Seeds, label_color());
  }
  if (!box_.isNull()) draw_box(painter, box_);
  if (view_.hasFocus()) {
    // Keyboard users see where they are.
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(view_.palette().color(QPalette::Highlight), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(view_.rect().adjusted(0, 0, -1, -1));
  }
}

// ------------------------------------------------------------------------ SliceView

SliceView::SliceView(PlaneKind plane, QWidget* parent)
    : QWidget(parent), d_(std::make_unique<Private>(*this, plane)) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(accessible_name(plane));
  d_->update_pointer_shape();
}

SliceView::~SliceView() = default;

void SliceView::set_image(const Volume& image) {
  d_->interaction_.cancel();
  const bool same = !image.empty() && d_->has_image() &&
                    same_grid(image.geometry(), d_->pipeline_.image().geometry());
  d_->pipeline_.set_image(image);
  d_->pipeline_.set_result({});
  d_->pipeline_.set_strength({});
  d_->has_strength_ = false;
  d_->pipeline_.set_reference({});
  d_->pipeline_.set_seeds(nullptr);
  if (!same) d_->camera_ = {};
  d_->apply_axes();
  d_->describe();
}

void SliceView::set_result(const LabelMap& result) {
  d_->pipeline_.set_result(result);
  d_->update_dirty();
}

void SliceView::set_strength(const Volume& strength) {
  d_->has_strength_ = !strength.empty();
  d_->pipeline_.set_strength(strength);
  update();
}

void SliceView::set_reference(const LabelMap& reference) {
  d_->pipeline_.set_reference(reference);
  update();
}

void SliceView::set_seeds(std::shared_ptr<const SeedVoxels> seeds) {
  d_->pipeline_.set_seeds(std::move(seeds));
  // The one that is being drawn now stays.
  if (d_->stroke_) d_->pipeline_.add_to_stroke(d_->stroke_->stroke());
  update();
}

void SliceView::set_labels(const std::vector<LabelStyle>& labels) {
  if (labels == d_->labels_) return;
  d_->labels_ = labels;
  d_->pipeline_.set_labels(labels);
  update();
}

void SliceView::set_corner_texts(const CornerTexts& texts) {
  if (texts == d_->texts_) return;
  d_->texts_ = texts;
  update();
}

void SliceView::set_display(const DisplayState& display) {
  if (display == d_->display_) return;
  d_->apply_display(display);
}

const DisplayState& SliceView::display() const {
  return d_->display_;
}

void SliceView::set_camera(const SliceCamera& camera) {
  if (camera == d_->camera_) return;
  d_->camera_ = camera;
  d_->apply_camera();
}

const SliceCamera& SliceView::camera() const {
  return d_->camera_;
}

void SliceView::set_tool(Tool tool) {
  if (tool == d_->interaction_.tool()) return;
  d_->interaction_.set_tool(tool);
  d_->update_pointer_shape();
  update();
}

Tool SliceView::tool() const {
  return d_->interaction_.tool();
}

void SliceView::set_brush(const Brush& brush) {
  if (brush == d_->brush_) return;
  d_->brush_ = brush;
  update();
}

const Brush& SliceView::brush() const {
  return d_->brush_;
}

void SliceView::set_bindings(const Bindings& bindings) {
  d_->interaction_.set_bindings(bindings);
}

PlaneKind SliceView::plane() const {
  return d_->plane_;
}

std::int64_t SliceView::slice() const {
  return d_->pipeline_.slice();
}

std::int64_t SliceView::slice_count() const {
  return d_->has_image() ? d_->axes().slice_count() : 0;
}

void SliceView::go_to_slice(std::int64_t slice) {
  if (!d_->has_image()) return;
  const std::int64_t target = std::clamp<std::int64_t>(slice, 0, slice_count() - 1);
  if (target == d_->pipeline_.slice()) return;
  Vec3 at = d_->axes().slice_coordinates(d_->display_.cursor);
  d_->put_cursor(d_->axes().world_at(at[0], at[1], static_cast<double>(target)));
  if (d_->pointer_) d_->tell_hover(*d_->pointer_);
}

void SliceView::step_cursor(int right, int down) {
  if (!d_->has_image()) return;
  const PlaneAxes& axes = d_->axes();
  const Vec3 at = axes.slice_coordinates(d_->display_.cursor);
  const auto stepped = [](double value, int step, std::int64_t count) {
    return std::clamp(std::round(value) + step, 0.0, static_cast<double>(count - 1));
  };
  d_->put_cursor(axes.world_at(stepped(at[0], right, axes.width()),
                               stepped(at[1], down, axes.height()),
                               static_cast<double>(d_->pipeline_.slice())));
}

void SliceView::stamp_brush() {
  if (!d_->has_image()) return;
  const PaintKind kind = tool() == Tool::Eraser ? PaintKind::Eraser : PaintKind::Seeds;
  d_->begin_stroke(kind, position_of(d_->display_.cursor));
  d_->end_stroke();
}

void SliceView::fit() {
  set_camera({});
  emit camera_changed(d_->camera_);
}

void SliceView::centre_on_cursor() {
  if (!d_->has_image()) return;
  const PlaneAxes& axes = d_->axes();
  const Vec3 at = axes.slice_coordinates(d_->display_.cursor);
  SliceCamera camera = d_->camera_;
  camera.right_mm = (at[0] - static_cast<double>(axes.width() - 1) / 2) * axes.right_spacing();
  camera.down_mm = (at[1] - static_cast<double>(axes.height() - 1) / 2) * axes.down_spacing();
  set_camera(camera);
  emit camera_changed(d_->camera_);
}

bool SliceView::cancel_stroke() {
  const bool drawn = d_->stroke_.has_value();
  if (drawn) d_->interaction_.cancel();
  return drawn;
}

Hover SliceView::hover_at(const QPointF& position) const {
  if (!d_->has_image()) return {};
  const Vec3 world = d_->world_at(position);
  return {world, d_->axes().geometry().nearest_index(world)};
}

QPointF SliceView::position_of(const Vec3& world) const {
  if (!d_->has_image()) return {};
  const Vec3 at = d_->axes().slice_coordinates(world);
  return d_->pipeline_.transform().to_device(at[0], at[1]) / devicePixelRatioF();
}

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

void SliceView::resizeEvent(QResizeEvent*) {
  d_->apply_camera();
}

void SliceView::mousePressEvent(QMouseEvent* event) {
  d_->interaction_.press(*event);
  d_->update_pointer_shape();
}

void SliceView::mouseMoveEvent(QMouseEvent* event) {
  d_->update_brush_mark(event->position());
  d_->interaction_.move(*event);
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
  // Ignored, so that Qt makes mouse events of it: pens then do all that a mouse does.
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
