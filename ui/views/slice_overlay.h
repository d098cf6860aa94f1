// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/edits.h"
#include "core/image/label_map.h"
#include "core/image/scalar_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "ui/views/plane_axes.h"
#include "ui/views/slice_state.h"
#include "ui/views/slice_transform.h"

#include <QImage>
#include <QRect>

#include <cstdint>
#include <vector>

namespace seedwave::ui {

/// The numbers of one slice, row by row in screen orientation: labels, levels of a map, seeds.
using SliceNumbers = std::vector<std::uint16_t>;

/// The labels of one slice: as numbers, or by number if some exceed 16 bits. If a slice has more
/// than 65,535 of those, numbers come round, and labels far apart share one.
struct SliceLabels {
  SliceNumbers numbers{};
  std::vector<Label> label_of{};  // empty: the numbers are the labels
};

/// Cuts slice `k` from a label map; empty if its grid has another size than the axes.
[[nodiscard]] SliceLabels cut_slice(const LabelMap& labels, const PlaneAxes& axes, std::int64_t k);
/// Lays a patch over the cut slice `k`, if that is not empty.
void lay_over(const LabelPatch& patch, const PlaneAxes& axes, std::int64_t k, SliceLabels& cut);
/// Returns 1 where two label maps differ in slice `k`, 0 elsewhere; empty if a grid has another
/// size than the axes.
[[nodiscard]] SliceNumbers cut_changes(const LabelMap& before, const LabelMap& after,
                                       const PlaneAxes& axes, std::int64_t k);
/// Cuts the seeds of slice `k`; empty if there are none.
[[nodiscard]] SliceNumbers cut_seeds(const SeedVoxels& seeds, const PlaneAxes& axes,
                                     std::int64_t k);

/// Colours by label id. Hidden labels have alpha 0.
class LabelPainter {
 public:
  LabelPainter() = default;
  /// `others`: colours in turn of labels that are not in the list; empty for the default colours.
  explicit LabelPainter(const std::vector<LabelStyle>& labels, const std::vector<Rgb>& others = {});
  /// Returns the colour of a label with its own opacity as alpha.
  [[nodiscard]] QRgb color(Label label) const;

 private:
  std::vector<QRgb> colors_;
  std::vector<bool> known_;
  std::vector<Rgb> others_;
};

/// One layer over the image: a number per voxel, and the look of each number. Another colour or
/// opacity costs a table, not the slice.
struct VoxelLayer {
  SliceNumbers numbers;         // 0: nothing; empty: nothing anywhere
  std::vector<Label> label_of;  // as in SliceLabels
  std::vector<QRgb> fill;       // by number, premultiplied; empty: none
  std::vector<QRgb> line;       // by number, opaque; alpha 0: no outline; empty: none
  std::vector<float> width;     // by number, mean region width in voxels; empty: wide enough
  [[nodiscard]] bool empty() const noexcept {
    return numbers.empty() || (fill.empty() && line.empty());
  }
};

enum class LineStyle {
  Solid,
  /// With an inner rim, dark along bright lines and bright along dark ones; visible on any image.
  Rimmed,
  /// Outside the number, where nothing else is; visible however small the mark.
  Around,
  /// White dashes on black, with a black inner rim; visible on any image.
  DashedWithHalo,
};

/// Colours labels: filled and outlined, or outlined only.
void color_labels(VoxelLayer& layer, const LabelPainter& painter, const OverlayStyle& style);
/// Colours outlines only, in white.
void color_reference(VoxelLayer& layer);
/// Colours the voxels that a run has changed: filled in white, with outlines.
void color_changes(VoxelLayer& layer);
/// Colours seeds, opaque and in full colours.
void color_seeds(VoxelLayer& layer, const LabelPainter& painter);
enum class Weighed { No, Yes };
/// Assigns the colours of the map to the levels of level_numbers(), or of weighed_numbers() if
/// `weighed`.
void color_map_levels(VoxelLayer& layer, const OverlayStyle& style, Weighed weighed = Weighed::No);

/// The displayed values of one slice of a scalar map, row by row in screen orientation; NaN if
/// undefined. Empty if the grid of the map has another size than the axes.
using SliceValues = std::vector<float>;
[[nodiscard]] SliceValues cut_values(const ScalarMap& map, const PlaneAxes& axes, std::int64_t k);
/// Returns 0 for hidden values, otherwise 1..256 from the low to the high end of the range. Values
/// outside, including infinities, get the colour of the nearer end.
[[nodiscard]] SliceNumbers level_numbers(const SliceValues& values, const MapStyle& style);
/// Like level_numbers(), with weights: 256 levels for each of the 255 opacities between style.faint
/// and style.full. Also 0 if the weight is NaN or not above `faint`.
[[nodiscard]] SliceNumbers weighed_numbers(const SliceValues& values, const SliceValues& weights,
                                           const MapStyle& style);

/// Returns the mean width of the regions of each number, in voxels: 2 A / E, with A voxels and E
/// edges to other numbers. For a stripe this is its width. Large slices are sampled by rows.
[[nodiscard]] std::vector<float> region_widths(const SliceNumbers& numbers, const PlaneAxes& axes);
/// Returns the visible outlines of a layer if a voxel is `pixels` wide. A filled number has none if
/// the lines on both sides would cover half of its regions: speckle would be all lines.
[[nodiscard]] std::vector<QRgb> lines_seen(const VoxelLayer& layer, double pixels, LineStyle style,
                                           int line_pixels);

/// Draws a layer into `frame` inside `rect`. An outline lies inside the boundary of its number,
/// also between two numbers; with LineStyle::Around it lies outside. It is `line_pixels` device
/// pixels wide at any zoom, because it is found on screen pixels, not voxels. Cost: the pixels of
/// `rect`.
void draw_layer(const VoxelLayer& layer, const PlaneAxes& axes, const SliceTransform& transform,
                LineStyle style, int line_pixels, const QRect& rect, QImage& frame);
/// Returns the distance in device pixels at which a neighbour still affects an outline.
[[nodiscard]] constexpr int outline_reach(LineStyle style, int line_pixels) noexcept {
  return style == LineStyle::Solid || style == LineStyle::Around ? line_pixels : 2 * line_pixels;
}

}  // namespace seedwave::ui
