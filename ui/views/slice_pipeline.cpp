// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_pipeline.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace seedwave::ui {
namespace {

/// Screen pixels per voxel below which outlines have no rims.
constexpr double kLeastForRims = 0.5;

/// Returns the grid of one slice, so that a stroke is drawn without visiting the whole volume.
Geometry slice_geometry(const PlaneAxes& axes, std::int64_t k) {
  Geometry slice = axes.geometry();
  Index3 corner{0, 0, 0};
  corner[axes.slice_axis()] = k;
  slice.origin = slice.to_world(corner);
  slice.size[axes.slice_axis()] = 1;
  return slice;
}

}  // namespace

void SlicePipeline::recolor(unsigned parts) {
  colors_stale_ |= parts;
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::invalidate_pixels(const QRect& rect) {
  dirty_ |= rect & frame_.rect();
}

void SlicePipeline::set_axes(const PlaneAxes& axes) {
  axes_ = axes;
  edited_.clear();
  slice_ = std::clamp<std::int64_t>(slice_, 0, std::max<std::int64_t>(axes.slice_count() - 1, 0));
  numbers_stale_ = kAll;
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_image(const Volume& image, const std::vector<Volume>& levels) {
  picture_.set_image(image, levels);
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_surroundings(const Volume& surroundings) {
  picture_.set_surroundings(surroundings);
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_detail(const Volume& detail) {
  picture_.set_detail(detail);
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_channel(std::size_t channel, const PictureVolumes& volumes) {
  picture_.set_channel(channel, volumes);
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_channel_detail(std::size_t channel, const Volume& detail) {
  picture_.set_channel_detail(channel, detail);
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_result(const LabelMap& result,
                               const std::shared_ptr<const LabelPatch>& patch) {
  const std::shared_ptr<const LabelPatch> patch_before = std::exchange(patch_, patch);
  const bool same_voxels = !result.empty() && result.owner() == result_.owner();
  if (same_voxels && patch == patch_before) return;
  // The numbers of the whole slice are cut; pixels are drawn only where they changed.
  for (const auto& each : {patch_before, patch}) {
    if (each) invalidate_pixels(pixels_of(each->box));
  }
  numbers_stale_ |= kResult;
  if (same_voxels) return;
  const bool replaced =
      !result.empty() && !result_.empty() && same_grid(result.geometry(), result_.geometry());
  result_ = result;
  numbers_stale_ |= kChanges;
  invalidate_pixels(replaced ? pixels_of(result.changed()) : frame_.rect());
}

bool SlicePipeline::set_map(const ScalarMap& map) {
  if (map.volume.owner() == map_.volume.owner()) return false;
  map_ = map;
  numbers_stale_ |= kMap;
  if (map_shown()) invalidate_pixels(frame_.rect());
  return true;
}

void SlicePipeline::set_reference(const LabelMap& reference) {
  reference_ = reference;
  numbers_stale_ |= kReference;
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_changes_from(const LabelMap& before) {
  if (before.empty() && before_.empty()) return;
  before_ = before;
  numbers_stale_ |= kChanges;
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_seeds(std::shared_ptr<const SeedVoxels> seeds) {
  seeds_ = std::move(seeds);
  stroke_parts_.clear();
  numbers_stale_ |= kSeeds;
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_labels(const std::vector<LabelStyle>& labels) {
  painter_ = LabelPainter(labels);
  recolor(kResult | kSeeds);
}

void SlicePipeline::set_result_styles(const std::optional<ResultStyles>& styles) {
  result_painter_.reset();
  if (styles) result_painter_.emplace(styles->labels, styles->others);
  recolor(kResult);
}

SlicePipeline::Covered SlicePipeline::covered_by(const Stroke& part) const {
  const Geometry slice = slice_geometry(axes_, slice_);
  const Index3 corner = axes_.index_at(0, 0, 0);
  Covered covered;
  Box box{{axes_.width(), axes_.height(), 0}, {0, 0, 1}};
  for (const std::int64_t offset : rasterise(part, slice)) {
    Index3 index = slice.index_of(offset);
    const std::int64_t u = std::abs(index[axes_.right_axis()] - corner[axes_.right_axis()]);
    const std::int64_t v = std::abs(index[axes_.down_axis()] - corner[axes_.down_axis()]);
    box.include({u, v, 0});
    covered.places.push_back(static_cast<std::size_t>(v * axes_.width() + u));
    index[axes_.slice_axis()] = slice_;
    covered.offsets.push_back(axes_.geometry().offset(index));
  }
  if (covered.places.empty()) return covered;
  covered.pixels = pixels_between(transform_.to_device(static_cast<double>(box.lo[0]) - 0.5,
                                                       static_cast<double>(box.lo[1]) - 0.5),
                                  transform_.to_device(static_cast<double>(box.hi[0]) - 0.5,
                                                       static_cast<double>(box.hi[1]) - 0.5));
  return covered;
}

void SlicePipeline::add_to_stroke(const Stroke& part) {
  stroke_parts_.push_back(part);
  if (numbers_stale_ & kSeeds) return;  // drawn with everything else
  const Covered covered = covered_by(part);
  if (covered.places.empty()) return;
  SliceNumbers& numbers = seed_layer_.numbers;
  if (numbers.empty()) numbers.assign(static_cast<std::size_t>(axes_.width() * axes_.height()), 0);
  for (const std::size_t place : covered.places)
    numbers[place] = static_cast<std::uint16_t>(part.label);
  invalidate_pixels(covered.pixels);
}

void SlicePipeline::add_to_edit(const Stroke& part, const EditFilter& may) {
  const Covered covered = covered_by(part);
  for (std::size_t i = 0; i < covered.places.size(); ++i) {
    if (!may || may(covered.offsets[i]))
      edited_.emplace_back(covered.places[i], static_cast<std::uint16_t>(part.label));
  }
  if (covered.places.empty()) return;
  numbers_stale_ |= kResult;
  invalidate_pixels(covered.pixels);
}

void SlicePipeline::clear_edit() {
  if (edited_.empty()) return;
  edited_.clear();
  numbers_stale_ |= kResult;
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::clear_stroke() {
  if (stroke_parts_.empty()) return;
  stroke_parts_.clear();
  numbers_stale_ |= kSeeds;
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_display(const DisplayState& display) {
  const DisplayState before = std::exchange(display_, display);
  const bool image_changed =
      before.window != display.window || before.inverted != display.inverted ||
      before.channel != display.channel || before.profile != display.profile ||
      before.tints != display.tints || before.interpolation != display.interpolation;
  if (before.overlay != display.overlay) {
    recolor(kResult | kMap);
  } else if (image_changed) {
    invalidate_pixels(frame_.rect());
  }
}

void SlicePipeline::set_slice(std::int64_t slice) {
  if (slice == slice_) return;
  slice_ = slice;
  edited_.clear();
  numbers_stale_ = kAll;
  invalidate_pixels(frame_.rect());
}

void SlicePipeline::set_transform(const SliceTransform& transform, const QSize& device,
                                  double ratio) {
  const bool resized = frame_.size() != device;
  if (!resized && transform == transform_ && ratio == ratio_) return;
  transform_ = transform;
  ratio_ = ratio;
  if (resized) frame_ = QImage(device, QImage::Format_RGB32);
  // Painted as it is, without a scaled copy.
  frame_.setDevicePixelRatio(ratio);
  dirty_ = frame_.rect();
}

QRect SlicePipeline::dirty() const {
  return dirty_;
}

bool SlicePipeline::map_shown() const {
  return display_.overlay.kind == OverlayKind::Map && display_.overlay.show_result;
}

int SlicePipeline::line_pixels() const {
  return std::max(1, static_cast<int>(std::lround(ratio_)));
}

QRect SlicePipeline::pixels_between(const QPointF& low, const QPointF& high) const {
  const int reach = outline_reach(LineStyle::DashedWithHalo, line_pixels());
  return QRectF(low, high).toAlignedRect().adjusted(-reach, -reach, reach, reach);
}

QRect SlicePipeline::pixels_of(const Box& box) const {
  const int normal = axes_.slice_axis();
  if (box.empty() || slice_ < box.lo[normal] || slice_ >= box.hi[normal]) return {};
  const Index3 corner = axes_.index_at(0, 0, 0);
  const auto along = [&](int axis, bool low) {
    const std::int64_t first = std::abs(box.lo[axis] - corner[axis]);
    const std::int64_t last = std::abs(box.hi[axis] - 1 - corner[axis]);
    return static_cast<double>(low ? std::min(first, last) : std::max(first, last));
  };
  const int u = axes_.right_axis();
  const int v = axes_.down_axis();
  return pixels_between(transform_.to_device(along(u, true) - 0.5, along(v, true) - 0.5),
                        transform_.to_device(along(u, false) + 0.5, along(v, false) + 0.5));
}

LineStyle SlicePipeline::result_lines() const {
  // Every line colour stands out from an image without colours; a colour image may contain it
  // already. At a small scale, the rim would cover the object.
  const bool rimmed = image().components() == 3 && transform_.u_pixels >= kLeastForRims;
  return rimmed ? LineStyle::Rimmed : LineStyle::Solid;
}

void SlicePipeline::update_result() {
  if (((numbers_stale_ | colors_stale_) & kResult) == 0) return;
  const auto lines = [this] {
    return lines_seen(result_layer_, transform_.u_pixels, result_lines(), line_pixels());
  };
  const std::vector<QRgb> before = lines();
  if (numbers_stale_ & kResult) {
    SliceLabels cut = cut_slice(result_, axes_, slice_);
    if (patch_) lay_over(*patch_, axes_, slice_, cut);
    result_layer_.numbers = std::move(cut.numbers);
    result_layer_.label_of = std::move(cut.label_of);
    if (!edited_.empty() && result_layer_.label_of.empty()) {
      result_layer_.numbers.resize(static_cast<std::size_t>(axes_.width() * axes_.height()));
      for (const auto& [place, number] : edited_)
        result_layer_.numbers[place] = number;
    }
    result_layer_.width = result_layer_.numbers.empty()
                              ? std::vector<float>()
                              : region_widths(result_layer_.numbers, axes_);
  }
  numbers_stale_ &= ~static_cast<unsigned>(kResult);
  colors_stale_ &= ~static_cast<unsigned>(kResult);
  color_labels(result_layer_, result_painter_ ? *result_painter_ : painter_, display_.overlay);
  // A stroke may change the mean width of a label's regions, and with it all of its outlines.
  const std::vector<QRgb> after = lines();
  const std::size_t common = std::min(before.size(), after.size());
  for (std::size_t i = 0; i < common; ++i) {
    if ((before[i] == 0) != (after[i] == 0)) invalidate_pixels(frame_.rect());
  }
}

void SlicePipeline::update_layers() {
  const OverlayStyle& style = display_.overlay;
  // Returns whether the part needs new colours.
  const auto cut = [&](Part part, VoxelLayer& layer, bool there, auto&& make) {
    if (numbers_stale_ & part) {
      layer.numbers = there ? make() : SliceNumbers{};
      numbers_stale_ &= ~static_cast<unsigned>(part);
      colors_stale_ |= part;
    }
    return (std::exchange(colors_stale_, colors_stale_ & ~static_cast<unsigned>(part)) & part) != 0;
  };
  if (style.show_result && !map_shown()) update_result();
  if (map_shown()) {
    if (numbers_stale_ & kMap) {
      map_values_ = map_.empty() ? SliceValues{} : cut_values(map_, axes_, slice_);
      map_weights_ =
          map_.weight == nullptr ? SliceValues{} : cut_values(*map_.weight, axes_, slice_);
    }
    if (style.map != leveled_) numbers_stale_ |= kMap;
    leveled_ = style.map;
    const bool weighed = !map_weights_.empty();
    if (cut(kMap, map_layer_, !map_values_.empty(), [&] {
          return weighed ? weighed_numbers(map_values_, map_weights_, style.map)
                         : level_numbers(map_values_, style.map);
        })) {
      color_map_levels(map_layer_, style, weighed ? Weighed::Yes : Weighed::No);
    }
  }
  if (cut(kReference, reference_layer_, !reference_.empty(),
          [&] { return cut_slice(reference_, axes_, slice_).numbers; })) {
    color_reference(reference_layer_);
  }
  if (cut(kChanges, change_layer_, !before_.empty() && !result_.empty(),
          [&] { return cut_changes(before_, result_, axes_, slice_); })) {
    color_changes(change_layer_);
  }
  update_seeds();
}

void SlicePipeline::update_seeds() {
  if (numbers_stale_ & kSeeds) {
    seed_layer_.numbers = seeds_ != nullptr ? cut_seeds(*seeds_, axes_, slice_) : SliceNumbers{};
    numbers_stale_ &= ~static_cast<unsigned>(kSeeds);
    const std::vector<Stroke> parts = std::exchange(stroke_parts_, {});
    for (const Stroke& part : parts)
      add_to_stroke(part);
  }
  if (colors_stale_ & kSeeds) color_seeds(seed_layer_, painter_);
  colors_stale_ &= ~static_cast<unsigned>(kSeeds);
}

void SlicePipeline::draw_image(const QRect& rect) {
  // If a colour encodes a value, the colours of the image would be mistaken for values.
  const bool says_values = map_shown() && !map_.empty() && display_.overlay.map.period > 0.0;
  picture_.draw({.axes = axes_, .slice = slice_, .transform = transform_}, display_, says_values,
                rect, frame_);
}

const QImage& SlicePipeline::render() {
  if (dirty().isEmpty()) return frame_;
  if (!image().empty()) update_layers();
  const QRect rect = dirty();
  draw_image(rect);
  if (!image().empty()) {
    const OverlayStyle& style = display_.overlay;
    const auto draw = [&](const VoxelLayer& layer, LineStyle line) {
      draw_layer(layer, axes_, transform_, line, line_pixels(), rect, frame_);
    };
    if (style.show_result) draw(map_shown() ? map_layer_ : result_layer_, result_lines());
    if (style.show_result) draw(change_layer_, LineStyle::Rimmed);
    if (style.show_seeds) draw(seed_layer_, LineStyle::Around);
    if (style.show_reference) draw(reference_layer_, LineStyle::DashedWithHalo);
  }
  dirty_ = {};
  return frame_;
}

}  // namespace seedwave::ui
