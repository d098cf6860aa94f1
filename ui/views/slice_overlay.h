// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "ui/views/plane_axes.h"
#include "ui/views/slice_state.h"
#include "ui/views/slice_transform.h"

#include <QImage>
#include <QRect>

#include <cstdint>
#include <span>
#include <vector>

namespace seedwave::ui {

/// The numbers of one slice, row by row in screen orientation: labels, strength, seeds.
using SliceNumbers = std::vector<std::uint16_t>;

/// Cuts slice `k` out of a volume of u16.
[[nodiscard]] SliceNumbers cut_slice(std::span<const std::uint16_t> voxels, const PlaneAxes& axes,
                                     std::int64_t k);
/// The seeds that lie in slice `k`; empty when there are none.
[[nodiscard]] SliceNumbers cut_seeds(const SeedVoxels& seeds, const PlaneAxes& axes,
                                     std::int64_t k);

/// Colours by label id, with what is hidden at alpha 0.
class LabelPainter {
 public:
  LabelPainter() = default;
  explicit LabelPainter(const std::vector<LabelStyle>& labels);
  /// The colour with the label's own opacity as alpha; labels not in the list are shown in the
  /// default colours.
  [[nodiscard]] QRgb color(std::uint16_t label) const;

 private:
  std::vector<QRgb> colors_;
  std::vector<bool> known_;
};

/// One layer over the image, ready to be drawn: a colour a voxel, and which of its eight
/// neighbours belong to something else, so that outlines of any width are drawn without a search.
struct VoxelLayer {
  std::vector<QRgb> fill;          // premultiplied; empty: none
  std::vector<QRgb> line;          // opaque; alpha 0: no outline here; empty: none
  std::vector<std::uint8_t> rims;  // one bit a neighbour that differs, see kRim...
  [[nodiscard]] bool empty() const noexcept { return fill.empty() && line.empty(); }
};

enum class LineStyle {
  Solid,
  /// White dashes on black, with a black rim inside: seen on any image.
  DashedWithHalo,
  /// A thin dark line: the rim of seeds.
  DarkRim,
};

/// Labels: filled and outlined, or outlined only.
[[nodiscard]] VoxelLayer label_layer(const SliceNumbers& labels, std::int64_t width,
                                     const LabelPainter& painter, const OverlayStyle& style);
/// Strength above theta in viridis, from theta to full strength.
[[nodiscard]] VoxelLayer strength_layer(const SliceNumbers& strength, const OverlayStyle& style);
/// Only outlines, white.
[[nodiscard]] VoxelLayer reference_layer(const SliceNumbers& labels, std::int64_t width);
/// Opaque, in full colours.
[[nodiscard]] VoxelLayer seed_layer(const SliceNumbers& seeds, std::int64_t width,
                                    const LabelPainter& painter);

/// Brings the layer of seeds up to date where `changed` (columns lo[0]..hi[0], rows lo[1]..hi[1])
/// was painted: a stroke on a large picture must not touch all of it.
void update_seed_layer(VoxelLayer& layer, const SliceNumbers& seeds, std::int64_t width,
                       const LabelPainter& painter, const Box& changed);

/// Draws a layer of a slice of `width` columns into `frame` inside `rect`; `line_pixels` is the
/// outlines' width in device pixels.
void draw_layer(const VoxelLayer& layer, const PlaneAxes& axes, const SliceTransform& transform,
                LineStyle style, double line_pixels, const QRect& rect, QImage& frame);

}  // namespace seedwave::ui
