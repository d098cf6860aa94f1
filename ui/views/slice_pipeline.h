// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/edit_gesture.h"
#include "ui/views/slice_overlay.h"
#include "ui/views/slice_picture.h"

#include <QImage>
#include <QRegion>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// Renders volume, labels and seeds of one slice to an image, without widget or OpenGL.
///
/// Setters record what changed; render() draws only that. Layers are cut and coloured for the
/// displayed slice only, so that new labels or another theta cost one slice, not the volume.
class SlicePipeline {
 public:
  void set_axes(const PlaneAxes& axes);
  [[nodiscard]] const PlaneAxes& axes() const noexcept { return axes_; }
  /// As PictureVolumes.
  void set_image(const Volume& image, const std::vector<Volume>& levels = {});
  [[nodiscard]] const Volume& image() const noexcept { return picture_.image(); }
  void set_surroundings(const Volume& surroundings);
  [[nodiscard]] bool has_surroundings() const noexcept { return picture_.has_surroundings(); }
  void set_detail(const Volume& detail);
  /// As SlicePicture.
  void set_channel(std::size_t channel, const PictureVolumes& volumes);
  void set_channel_detail(std::size_t channel, const Volume& detail);
  /// `patch`: over the result; null for none.
  void set_result(const LabelMap& result, const std::shared_ptr<const LabelPatch>& patch = {});
  /// Returns false if the map is already shown.
  bool set_map(const ScalarMap& map);
  void set_reference(const LabelMap& reference);
  /// Marks the voxels in which the result differs from `before`; empty marks none.
  void set_changes_from(const LabelMap& before);
  void set_seeds(std::shared_ptr<const SeedVoxels> seeds);
  void set_labels(const std::vector<LabelStyle>& labels);
  /// If empty, the numbers of the result are those of the labels.
  void set_result_styles(const std::optional<ResultStyles>& styles);
  /// Draws a part of a stroke over the seeds until the next set_seeds().
  void add_to_stroke(const Stroke& part);
  void clear_stroke();
  /// Draws a part of an edit into the displayed slice of the result until clear_edit(), where `may`
  /// allows it. A part with label 0 removes.
  void add_to_edit(const Stroke& part, const EditFilter& may);
  void clear_edit();

  void set_display(const DisplayState& display);
  void set_slice(std::int64_t slice);
  [[nodiscard]] std::int64_t slice() const noexcept { return slice_; }
  /// `ratio`: device pixels per logical pixel; outlines scale with it.
  void set_transform(const SliceTransform& transform, const QSize& device, double ratio);
  [[nodiscard]] const SliceTransform& transform() const noexcept { return transform_; }

  /// Returns the region that render() would draw again, in device pixels.
  [[nodiscard]] QRect dirty() const;
  /// Returns the rendered image: Format_RGB32, of the size set last.
  const QImage& render();

 private:
  enum Part : unsigned {
    kResult = 1,
    kMap = 2,
    kReference = 4,
    kSeeds = 8,
    kChanges = 16,
    kAll = 31
  };
  /// Marks the colours of the parts as out of date; their numbers are still valid.
  void recolor(unsigned parts);
  void invalidate_pixels(const QRect& rect);
  /// May invalidate more pixels.
  void update_layers();
  void update_result();
  /// The places of a stroke's voxels in the displayed slice.
  struct Covered {
    std::vector<std::size_t> places;    // v * width + u
    std::vector<std::int64_t> offsets;  // on the image's grid
    QRect pixels;                       // that must be drawn again
  };
  [[nodiscard]] Covered covered_by(const Stroke& part) const;
  void update_seeds();
  [[nodiscard]] LineStyle result_lines() const;
  /// Returns the width of outlines in device pixels.
  [[nodiscard]] int line_pixels() const;
  [[nodiscard]] QRect pixels_of(const Box& box) const;
  /// Returns the pixels between two points of the slice, and those whose outline they affect.
  [[nodiscard]] QRect pixels_between(const QPointF& low, const QPointF& high) const;
  [[nodiscard]] bool map_shown() const;
  void draw_image(const QRect& rect);

  PlaneAxes axes_;
  SlicePicture picture_;
  LabelMap result_;
  std::shared_ptr<const LabelPatch> patch_;
  ScalarMap map_;
  LabelMap reference_;
  LabelMap before_;
  std::shared_ptr<const SeedVoxels> seeds_;
  LabelPainter painter_;
  std::optional<LabelPainter> result_painter_;
  DisplayState display_;
  std::int64_t slice_ = 0;
  SliceTransform transform_;
  double ratio_ = 1.0;

  QRect dirty_;
  /// The parts whose numbers, and whose colours, are out of date.
  unsigned numbers_stale_ = kAll;
  unsigned colors_stale_ = kAll;
  VoxelLayer result_layer_;
  VoxelLayer map_layer_;
  SliceValues map_values_;
  /// The weights of the map, or empty.
  SliceValues map_weights_;
  /// The style for which the numbers of map_layer_ were computed.
  MapStyle leveled_;
  VoxelLayer reference_layer_;
  VoxelLayer change_layer_;
  VoxelLayer seed_layer_;
  std::vector<Stroke> stroke_parts_;
  /// Places in the result's layer with the numbers that edits give them.
  std::vector<std::pair<std::size_t, std::uint16_t>> edited_;
  QImage frame_;
};

}  // namespace seedwave::ui
