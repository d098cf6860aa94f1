// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_layers.h"

#include "core/image/fixed_voxels.h"
#include "ui/views/slice_overlay.h"

#include <algorithm>
#include <utility>

namespace seedwave::ui {
namespace {

constexpr QRgb kColorWithoutClass = qRgb(255, 222, 90);

}  // namespace

void SliceLayers::clear() {
  pipeline_.set_result({});
  pipeline_.set_changes_from({});
  pipeline_.set_map({});
  map_ = {};
  pipeline_.set_reference({});
  pipeline_.set_seeds(nullptr);
  chosen_.set_voxels({});
  emit changed();
}

void SliceLayers::set_result(const LabelMap& result,
                             const std::shared_ptr<const LabelPatch>& patch) {
  pipeline_.set_result(result, patch);
  pipeline_.clear_edit();
  emit result_replaced();
  emit pixels_changed();
}

void SliceLayers::set_changes_from(const LabelMap& before) {
  pipeline_.set_changes_from(before);
  emit pixels_changed();
}

void SliceLayers::set_map(const ScalarMap& map, const QString& note) {
  const bool noted = std::exchange(map_note_, note) != note;
  const bool replaced = pipeline_.set_map(map);
  map_ = map;
  if (noted || replaced) emit changed();
}

void SliceLayers::set_reference(const LabelMap& reference) {
  pipeline_.set_reference(reference);
  emit changed();
}

void SliceLayers::set_seeds(std::shared_ptr<const SeedVoxels> seeds) {
  pipeline_.set_seeds(std::move(seeds));
  emit seeds_replaced();
  emit changed();
}

void SliceLayers::add_to_stroke(const Stroke& part) {
  pipeline_.add_to_stroke(part);
  emit pixels_changed();
}

void SliceLayers::clear_stroke() {
  pipeline_.clear_stroke();
  emit changed();
}

void SliceLayers::add_to_edit(const Stroke& part) {
  Stroke drawn = part;
  if (part.label == kFixedAsNone) drawn.label = 0;
  pipeline_.add_to_edit(drawn, filter_ ? filter_(part.label) : EditFilter());
  emit pixels_changed();
}

void SliceLayers::clear_edit() {
  pipeline_.clear_edit();
  emit changed();
}

void SliceLayers::set_chosen_voxels(std::vector<std::int64_t> offsets) {
  if (offsets.empty() && chosen_.empty()) return;
  chosen_.set_voxels(std::move(offsets));
  emit changed();
}

const std::vector<QLineF>& SliceLayers::chosen_lines() {
  return chosen_.lines(pipeline_.axes(), pipeline_.slice());
}

void SliceLayers::set_regions(std::shared_ptr<const PlacedRegions> regions) {
  const bool were_none = regions_ == nullptr || regions_->regions().empty();
  regions_ = std::move(regions);
  if (!were_none || !regions_->regions().empty()) emit changed();
}

void SliceLayers::set_chosen_regions(std::vector<std::size_t> rows) {
  if (rows == chosen_regions_) return;
  chosen_regions_ = std::move(rows);
  emit changed();
}

void SliceLayers::draw_regions_in(QPainter& painter, const WorldInView& view, const QRectF& visible,
                                  bool marks_chosen) const {
  if (regions_ == nullptr || regions_->regions().empty()) return;
  draw_regions(
      painter, *regions_, view, visible, [this](Label label) { return region_color(label); },
      marks_chosen ? chosen_regions_ : std::vector<std::size_t>());
}

std::optional<ChosenRegion> SliceLayers::chosen_region() const {
  if (regions_ == nullptr || chosen_regions_.size() != 1) return std::nullopt;
  const std::size_t row = chosen_regions_.front();
  if (row >= regions_->regions().size()) return std::nullopt;
  const auto& region = regions_->regions()[row];
  if (!region_color(region->label).isValid()) return std::nullopt;
  return ChosenRegion{.row = row, .region = region};
}

QColor SliceLayers::region_color(Label label) const {
  const auto style = std::ranges::find(labels_, label, &LabelStyle::id);
  if (style == labels_.end()) return QColor(kColorWithoutClass);
  return style->visible ? style->color : QColor();
}

void SliceLayers::set_labels(const std::vector<LabelStyle>& labels) {
  if (labels == labels_) return;
  labels_ = labels;
  pipeline_.set_labels(labels);
  emit changed();
}

QColor SliceLayers::color_of(Label label) const {
  return QColor(LabelPainter(labels_).color(label) | 0xFF000000U);
}

void SliceLayers::set_result_styles(const std::optional<ResultStyles>& styles) {
  if (styles == result_styles_) return;
  result_styles_ = styles;
  pipeline_.set_result_styles(styles);
  emit changed();
}

void SliceLayers::set_corner_texts(const CornerTexts& texts) {
  if (texts == texts_) return;
  texts_ = texts;
  emit changed();
}

void SliceLayers::set_line(const std::optional<LineMark>& line) {
  if (line == line_) return;
  line_ = line;
  emit line_changed();
}

void SliceLayers::set_place(const std::optional<Vec3>& world) {
  if (world == place_) return;
  place_ = world;
  emit changed();
}

}  // namespace seedwave::ui
