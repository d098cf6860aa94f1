// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_view.h"

#include "ui/views/slice_annotations.h"
#include "ui/views/slice_hand.h"
#include "ui/views/slice_layers.h"
#include "ui/views/slice_pipeline.h"
#include "ui/views/slice_transform.h"

#include <algorithm>
#include <utility>

namespace seedwave::ui {
namespace {

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

SliceView::SliceView(PlaneKind plane, QWidget* parent)
    : QWidget(parent),
      plane_(plane),
      pipeline_(std::make_unique<SlicePipeline>()),
      layers_(std::make_unique<SliceLayers>(*pipeline_)),
      hand_(std::make_unique<SliceHand>(*this, *pipeline_, *layers_)) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(accessible_name(plane));
  connect(layers_.get(), &SliceLayers::changed, this, qOverload<>(&SliceView::update));
  connect(layers_.get(), &SliceLayers::pixels_changed, this, &SliceView::update_dirty);
  connect(layers_.get(), &SliceLayers::line_changed, this, [this] {
    describe();
    update();
  });
}

SliceView::~SliceView() = default;

const PlaneAxes& SliceView::axes() const {
  return pipeline_->axes();
}

bool SliceView::has_image() const {
  return !pipeline_->image().empty();
}

void SliceView::set_image(const Volume& image, const std::vector<Volume>& levels) {
  hand_->cancel_drag();
  const bool same =
      !image.empty() && has_image() && same_grid(image.geometry(), pipeline_->image().geometry());
  pipeline_->set_image(image, levels);
  layers_->clear();
  if (!same) camera_ = {};
  apply_axes();
  describe();
}

void SliceView::set_surroundings(const Volume& surroundings) {
  pipeline_->set_surroundings(surroundings);
  update_dirty();
}

void SliceView::set_detail(const Volume& detail) {
  pipeline_->set_detail(detail);
  update_dirty();
}

void SliceView::set_channel(std::size_t channel, const PictureVolumes& volumes) {
  pipeline_->set_channel(channel, volumes);
  update_dirty();
}

void SliceView::set_channel_detail(std::size_t channel, const Volume& detail) {
  pipeline_->set_channel_detail(channel, detail);
  update_dirty();
}

void SliceView::set_display(const DisplayState& display) {
  if (display == display_) return;
  apply_display(display);
}

void SliceView::set_camera(const SliceCamera& camera) {
  if (camera == camera_) return;
  camera_ = camera;
  apply_camera();
}

void SliceView::set_plane(PlaneKind plane) {
  if (plane == plane_) return;
  hand_->cancel_drag();
  plane_ = plane;
  setAccessibleName(accessible_name(plane));
  if (has_image()) apply_axes();
  describe();
}

std::int64_t SliceView::slice() const {
  return pipeline_->slice();
}

std::int64_t SliceView::slice_count() const {
  return has_image() ? axes().slice_count() : 0;
}

void SliceView::go_to_slice(std::int64_t slice) {
  if (!has_image()) return;
  const std::int64_t target = std::clamp<std::int64_t>(slice, 0, slice_count() - 1);
  if (target == pipeline_->slice()) return;
  const Vec3 at = axes().slice_coordinates(display_.cursor);
  move_cursor(axes().world_at(at[0], at[1], static_cast<double>(target)));
  hand_->update_hover();
}

void SliceView::move_cursor(const Vec3& world) {
  if (world == display_.cursor) return;
  DisplayState display = display_;
  display.cursor = world;
  apply_display(display);
  emit cursor_moved(world);
}

void SliceView::move_camera(const SliceCamera& camera) {
  set_camera(camera);
  emit camera_changed(camera_);
}

void SliceView::fit() {
  move_camera({});
}

void SliceView::centre_on_cursor() {
  if (has_image()) centre_on(display_.cursor, camera_.zoom);
}

void SliceView::centre_on(const Vec3& world, double zoom) {
  const Vec3 at = axes().slice_coordinates(world);
  move_camera(
      {.zoom = zoom,
       .right_mm = (at[0] - static_cast<double>(axes().width() - 1) / 2) * axes().right_spacing(),
       .down_mm = (at[1] - static_cast<double>(axes().height() - 1) / 2) * axes().down_spacing()});
}

double SliceView::pixels_per_voxel() const {
  const SliceTransform& transform = pipeline_->transform();
  return std::min(transform.u_pixels, transform.v_pixels);
}

Hover SliceView::hover_at(const QPointF& position) const {
  if (!has_image()) return {};
  const QPointF at = pipeline_->transform().to_slice(position * devicePixelRatioF());
  const Vec3 world = axes().world_at(at.x(), at.y(), static_cast<double>(pipeline_->slice()));
  return {world, axes().geometry().nearest_index(world)};
}

QPointF SliceView::position_of(const Vec3& world) const {
  if (!has_image()) return {};
  const Vec3 at = axes().slice_coordinates(world);
  return pipeline_->transform().to_device(at[0], at[1]) / pixel_ratio();
}

void SliceView::apply_axes() {
  const Geometry& grid = pipeline_->image().geometry();
  const PlaneAxes axes_as_stored(grid, plane_, display_.convention, display_.in_patient);
  pipeline_->set_axes(grid.is_2d() ? axes_as_stored.turned(display_.turn) : axes_as_stored);
  pipeline_->set_slice(axes().slice_of(display_.cursor));
  apply_camera();
}

void SliceView::apply_display(const DisplayState& display) {
  const DisplayState before = std::exchange(display_, display);
  const bool turned =
      before.convention != display.convention || before.in_patient != display.in_patient;
  if (turned && has_image()) apply_axes();
  if (before.turn != display.turn && has_image()) turn();
  pipeline_->set_display(display);
  if (has_image()) {
    const std::int64_t slice = axes().slice_of(display.cursor);
    if (slice != pipeline_->slice()) hand_->leave_slice();
    const bool told_anew = slice != pipeline_->slice() || before.window != display.window;
    pipeline_->set_slice(slice);
    if (told_anew) describe();
  }
  update();
}

void SliceView::turn() {
  if (camera_ == SliceCamera{}) return apply_axes();
  // The same place stays in the middle, as large as it was.
  const Vec3 centre = hover_at(QRectF(rect()).center()).world;
  const double scale = pipeline_->transform().mm_pixels;
  apply_axes();
  centre_on(centre, std::clamp(camera_.zoom * scale / pipeline_->transform().mm_pixels, kLeastZoom,
                               kMostZoom));
}

double SliceView::pixel_ratio() const {
  return devicePixelRatioF() * (picture_ ? picture_->scale : 1);
}

void SliceView::apply_camera() {
  const double ratio = pixel_ratio();
  const QSize device = device_size(size(), ratio);
  const SliceTransform transform =
      has_image() ? SliceTransform(axes(), camera_, device) : SliceTransform{};
  pipeline_->set_transform(transform, device, ratio);
  update();
}

void SliceView::describe() {
  QString text = has_image()
                     ? tr("Slice %1 of %2, window width %3, level %4")
                           .arg(pipeline_->slice() + 1)
                           .arg(axes().slice_count())
                           .arg(window_number(display_.window.width, display_.window.width),
                                window_number(display_.window.centre, display_.window.width))
                     : tr("No image");
  const std::optional<LineMark>& line = layers_->line();
  if (has_image() && line) text += tr(", line %1").arg(line->text);
  setAccessibleDescription(text);
}

void SliceView::keep_in_place(const QSize& before) {
  const bool same_window = std::exchange(window_size_, window()->size()) == window()->size();
  const QSize change = size() - before;
  const bool one_side = change.width() == 0 || change.height() == 0;
  if (!same_window || !one_side || !before.isValid() || !isVisible()) return;
  if (!has_image() || camera_ == SliceCamera{}) return;
  const double ratio = devicePixelRatioF();
  camera_ = kept_in_place(axes(), camera_, device_size(before, ratio), device_size(size(), ratio));
}

}  // namespace seedwave::ui
