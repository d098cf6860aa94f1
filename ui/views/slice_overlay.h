// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Cuts slice `k` out of labels; empty when they are on a grid of another size than the axes.
[[nodiscard]] SliceNumbers cut_slice(const LabelMap& labels, const PlaneAxes& axes, std::int64_t k);
/// The seeds that lie in slice `k`; empty when there are none.
[[nodiscard]] SliceNumbers cut_seeds(const SeedVoxels& seeds, const PlaneAxes& axes,
                                     std::int64_t k);

/// Colours by label id, with what is hidden at alpha 0.
class LabelPainter {
 public:
  LabelPainter() = default;
  /// `others`: what labels that are not in the list have in turn; empty: the default colours.
  explicit LabelPainter(const std::vector<LabelStyle>& labels, const std::vector<Rgb>& others = {});
  /// The colour with the label's own opacity as alpha.
  [[nodiscard]] QRgb color(std::uint16_t label) const;

 private:
  std::vector<QRgb> colors_;
  std::vector<bool> known_;
  std::vector<Rgb> others_;
};

/// One layer over the image: a number per voxel, and what a number looks like. So another colour or
/// opacity costs a table and not the slice.
struct VoxelLayer {
  SliceNumbers numbers;      // 0: nothing; empty: nothing anywhere
  std::vector<QRgb> fill;    // by number, premultiplied; empty: none
  std::vector<QRgb> line;    // by number, opaque; alpha 0: no outline; empty: none
  std::vector<float> width;  // by number, of its regions, in voxels; empty: wide enough for a line
  [[nodiscard]] bool empty() const noexcept {
    return numbers.empty() || (fill.empty() && line.empty());
  }
};

enum class LineStyle {
  Solid,
  /// With a rim inside, dark along bright lines and bright along dark ones: seen on any picture.
  Rimmed,
  /// Outside its number, over nothing: what is marked is seen however small it is shown.
  Around,
  /// White dashes on black, with a black rim inside: seen on any image.
  DashedWithHalo,
};

/// Labels: filled and outlined, or outlined only.
void color_labels(VoxelLayer& layer, const LabelPainter& painter, const OverlayStyle& style);
/// Only outlines, white.
void color_reference(VoxelLayer& layer);
/// Opaque, in full colours.
void color_seeds(VoxelLayer& layer, const LabelPainter& painter);
enum class Weighed { No, Yes };
/// The levels of level_numbers() in the colours of the map; weighed: those of weighed_numbers().
void color_map_levels(VoxelLayer& layer, const OverlayStyle& style, Weighed weighed = Weighed::No);

/// The values of one slice of a scalar map, row by row in screen orientation, as they are shown;
/// NaN where there is nothing. Empty when the map is on a grid of another size than the axes.
using SliceValues = std::vector<float>;
[[nodiscard]] SliceValues cut_values(const ScalarMap& map, const PlaneAxes& axes, std::int64_t k);
/// What values become: 0 where nothing is shown, else 1..256 from the low to the high end of the
/// window; what lies beyond, infinities too, has the colour of its end.
[[nodiscard]] SliceNumbers level_numbers(const SliceValues& values, const MapStyle& style);
/// The same with how much each value counts: 256 levels for each of the 255 opacities between
/// style.faint and style.full; 0 also where the weight is not above `faint`, or is no number.
[[nodiscard]] SliceNumbers weighed_numbers(const SliceValues& values, const SliceValues& weights,
                                           const MapStyle& style);

/// How wide the regions of each number are in the mean, in voxels: 2 A / E, A their voxels and E
/// the edges between them and others, which for a stripe is its width. Of a large slice some rows
/// alone.
[[nodiscard]] std::vector<float> region_widths(const SliceNumbers& numbers, const PlaneAxes& axes);
/// The lines of a layer where a voxel is `pixels` wide: of numbers that are filled none where those
/// on both sides would cover half of their regions, and speckle would be nothing but lines.
[[nodiscard]] std::vector<QRgb> lines_seen(const VoxelLayer& layer, double pixels, LineStyle style,
                                           int line_pixels);

/// Draws a layer into `frame` inside `rect`. An outline lies inside its number's border, also where
/// two numbers touch (LineStyle::Around: outside), `line_pixels` device pixels wide at any zoom: it
/// is looked for on the screen's pixels and not on the voxels. Cost: the pixels of `rect`.
void draw_layer(const VoxelLayer& layer, const PlaneAxes& axes, const SliceTransform& transform,
                LineStyle style, int line_pixels, const QRect& rect, QImage& frame);
/// How far an outline's look depends on what lies beside a pixel, in device pixels.
[[nodiscard]] constexpr int outline_reach(LineStyle style, int line_pixels) noexcept {
  return style == LineStyle::Solid || style == LineStyle::Around ? line_pixels : 2 * line_pixels;
}

}  // namespace seedwave::ui
