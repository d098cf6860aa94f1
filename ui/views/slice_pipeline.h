// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/slice_overlay.h"
#include "ui/views/slice_sampler.h"

#include <QImage>
#include <QRegion>

#include <memory>
#include <optional>
#include <vector>

namespace seedwave::ui {

/// From volume, labels and seeds to the picture of one slice: no widget, no OpenGL.
///
/// Setters note what changed; render() draws only that. Layers are cut and coloured for the slice
/// shown alone, so that new labels or another theta cost one slice and not the volume.
class SlicePipeline {
 public:
  void set_axes(const PlaneAxes& axes);
  [[nodiscard]] const PlaneAxes& axes() const noexcept { return axes_; }
  /// `levels`: ever smaller forms of a picture, each in the same place.
  void set_image(const Volume& image, const std::vector<Volume>& levels = {});
  [[nodiscard]] const Volume& image() const noexcept { return image_; }
  void set_result(const LabelMap& result);
  /// False where it is the one that is shown already.
  bool set_map(const ScalarMap& map);
  void set_reference(const LabelMap& reference);
  void set_seeds(std::shared_ptr<const SeedVoxels> seeds);
  void set_labels(const std::vector<LabelStyle>& labels);
  /// Nothing: its numbers are those of the labels.
  void set_result_styles(const std::optional<ResultStyles>& styles);
  /// Draws a part of a stroke on top of the seeds until the seeds are set anew.
  void add_to_stroke(const Stroke& part);
  void clear_stroke();

  void set_display(const DisplayState& display);
  void set_slice(std::int64_t slice);
  [[nodiscard]] std::int64_t slice() const noexcept { return slice_; }
  /// `ratio`: device pixels a logical one; the outlines' width goes with it.
  void set_transform(const SliceTransform& transform, const QSize& device, double ratio);
  [[nodiscard]] const SliceTransform& transform() const noexcept { return transform_; }

  /// What render() would draw anew, in device pixels.
  [[nodiscard]] QRect dirty() const;
  /// The picture: Format_RGB32, of the size last set.
  const QImage& render();

 private:
  enum Part : unsigned { kResult = 1, kMap = 2, kReference = 4, kSeeds = 8, kAll = 15 };
  /// The parts look otherwise; their numbers stay.
  void recolor(unsigned parts);
  void invalidate_pixels(const QRect& rect);
  /// May find more pixels to be drawn.
  void update_layers();
  void update_result();
  void update_seeds();
  [[nodiscard]] LineStyle result_lines() const;
  /// How wide outlines are, in device pixels.
  [[nodiscard]] int line_pixels() const;
  [[nodiscard]] QRect pixels_of(const Box& box) const;
  /// The pixels between two places of the slice, and those whose outline they decide.
  [[nodiscard]] QRect pixels_between(const QPointF& low, const QPointF& high) const;
  [[nodiscard]] bool map_shown() const;
  void draw_image(const QRect& rect);
  void take_colours_away(const QRect& rect);

  PlaneAxes axes_;
  Volume image_;
  std::vector<Volume> levels_;
  LabelMap result_;
  ScalarMap map_;
  LabelMap reference_;
  std::shared_ptr<const SeedVoxels> seeds_;
  LabelPainter painter_;
  std::optional<LabelPainter> result_painter_;
  DisplayState display_;
  std::int64_t slice_ = 0;
  SliceTransform transform_;
  double ratio_ = 1.0;

  QRect dirty_;
  /// Parts whose numbers, and whose colours, are not those of what was set.
  unsigned numbers_stale_ = kAll;
  unsigned colors_stale_ = kAll;
  VoxelLayer result_layer_;
  VoxelLayer map_layer_;
  SliceValues map_values_;
  /// Of its weight; empty where it has none.
  SliceValues map_weights_;
  /// What map_layer_'s numbers were made with.
  MapStyle leveled_;
  VoxelLayer reference_layer_;
  VoxelLayer seed_layer_;
  std::vector<Stroke> stroke_parts_;
  QImage frame_;
};

}  // namespace seedwave::ui
