// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_view.h"

#include "ui/views/slice_view_private.h"

#include <algorithm>
#include <cmath>
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
    : QWidget(parent), d_(std::make_unique<Private>(*this, plane)) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(accessible_name(plane));
  d_->update_pointer_shape();
}

SliceView::~SliceView() = default;

void SliceView::set_image(const Volume& image, const std::vector<Volume>& levels) {
  d_->interaction_.cancel();
  const bool same = !image.empty() && d_->has_image() &&
                    same_grid(image.geometry(), d_->pipeline_.image().geometry());
  d_->pipeline_.set_image(image, levels);
  d_->pipeline_.set_result({});
  d_->pipeline_.set_map({});
  d_->map_ = {};
  d_->pipeline_.set_reference({});
  d_->pipeline_.set_seeds(nullptr);
  d_->chosen_.set_voxels({});
  if (!same) d_->camera_ = {};
  d_->apply_axes();
  d_->describe();
}

void SliceView::set_result(const LabelMap& result) {
  d_->pipeline_.set_result(result);
  d_->update_dirty();
}

void SliceView::set_map(const ScalarMap& map, const QString& note) {
  const bool noted = std::exchange(d_->map_note_, note) != note;
  const bool changed = d_->pipeline_.set_map(map);
  d_->map_ = map;
  if (noted || changed) update();
}

void SliceView::set_reference(const LabelMap& reference) {
  d_->pipeline_.set_reference(reference);
  update();
}

void SliceView::set_seeds(std::shared_ptr<const SeedVoxels> seeds) {
  d_->pipeline_.set_seeds(std::move(seeds));
  // The stroke being drawn is kept.
  if (d_->stroke_) d_->pipeline_.add_to_stroke(d_->stroke_->stroke());
  update();
}

void SliceView::set_chosen_voxels(std::vector<std::int64_t> offsets) {
  if (offsets.empty() && d_->chosen_.empty()) return;
  d_->chosen_.set_voxels(std::move(offsets));
  update();
}

void SliceView::set_labels(const std::vector<LabelStyle>& labels) {
  if (labels == d_->labels_) return;
  d_->labels_ = labels;
  d_->pipeline_.set_labels(labels);
  update();
}

void SliceView::set_result_styles(const std::optional<ResultStyles>& styles) {
  if (styles == d_->result_styles_) return;
  d_->result_styles_ = styles;
  d_->pipeline_.set_result_styles(styles);
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

void SliceView::set_plane(PlaneKind plane) {
  if (plane == d_->plane_) return;
  d_->interaction_.cancel();
  d_->plane_ = plane;
  setAccessibleName(accessible_name(plane));
  if (d_->has_image()) d_->apply_axes();
  d_->describe();
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

void SliceView::set_line(const std::optional<LineMark>& line) {
  if (line == d_->line_) return;
  d_->line_ = line;
  d_->describe();
  update();
}

const std::optional<LineMark>& SliceView::line() const {
  return d_->line_;
}

void SliceView::set_place(const std::optional<Vec3>& world) {
  if (world == d_->place_) return;
  d_->place_ = world;
  update();
}

const std::optional<Vec3>& SliceView::place() const {
  return d_->place_;
}

bool SliceView::cancel_stroke() {
  const bool drawn = d_->stroke_.has_value() || d_->line_drag_.has_value();
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

}  // namespace seedwave::ui
