// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_overlay.h"

#include "core/image/label_color.h"
#include "ui/views/color_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace seedwave::ui {
namespace {

constexpr double kFullStrength = 4096.0;

// Neighbours of a voxel that belong to something else.
enum Rim : std::uint8_t {
  kRimLeft = 1,
  kRimRight = 2,
  kRimTop = 4,
  kRimBottom = 8,
  kRimTopLeft = 16,
  kRimTopRight = 32,
  kRimBottomLeft = 64,
  kRimBottomRight = 128,
};

/// Which neighbours a pixel is near to: from the bits of its column (left, right) and row.
constexpr std::array<std::uint8_t, 16> make_near() {
  std::array<std::uint8_t, 16> near{};
  for (unsigned bits = 0; bits < 16; ++bits) {
    unsigned rims = bits;
    if ((bits & kRimTop) != 0 && (bits & kRimLeft) != 0) rims |= kRimTopLeft;
    if ((bits & kRimTop) != 0 && (bits & kRimRight) != 0) rims |= kRimTopRight;
    if ((bits & kRimBottom) != 0 && (bits & kRimLeft) != 0) rims |= kRimBottomLeft;
    if ((bits & kRimBottom) != 0 && (bits & kRimRight) != 0) rims |= kRimBottomRight;
    near[bits] = static_cast<std::uint8_t>(rims);
  }
  return near;
}
constexpr std::array<std::uint8_t, 16> kNear = make_near();

QRgb premultiplied(QRgb color, double share) {
  const double alpha = std::clamp(qAlpha(color) / 255.0 * share, 0.0, 1.0);
  const auto part = [&](int value) { return static_cast<int>(std::lround(value * alpha)); };
  return qRgba(part(qRed(color)), part(qGreen(color)), part(qBlue(color)),
               static_cast<int>(std::lround(255 * alpha)));
}

/// Sets the rims of the voxels of columns lo[0]..hi[0], rows lo[1]..hi[1]: of those whose number is
/// not 0; the picture's edge does not count.
void find_rims(const SliceNumbers& numbers, std::int64_t width, const Box& part,
               std::vector<std::uint8_t>& rims) {
  const auto height = static_cast<std::int64_t>(numbers.size()) / width;
  for (std::int64_t v = part.lo[1]; v < part.hi[1]; ++v) {
    for (std::int64_t u = part.lo[0]; u < part.hi[0]; ++u) {
      const std::uint16_t own = numbers[static_cast<std::size_t>(v * width + u)];
      std::uint8_t& rim = rims[static_cast<std::size_t>(v * width + u)];
      rim = 0;
      if (own == 0) continue;
      unsigned bits = 0;
      const auto differs = [&](std::int64_t du, std::int64_t dv) {
        const std::int64_t nu = u + du;
        const std::int64_t nv = v + dv;
        return nu >= 0 && nu < width && nv >= 0 && nv < height &&
               numbers[static_cast<std::size_t>(nv * width + nu)] != own;
      };
      if (differs(-1, 0)) bits |= kRimLeft;
      if (differs(1, 0)) bits |= kRimRight;
      if (differs(0, -1)) bits |= kRimTop;
      if (differs(0, 1)) bits |= kRimBottom;
      if (differs(-1, -1)) bits |= kRimTopLeft;
      if (differs(1, -1)) bits |= kRimTopRight;
      if (differs(-1, 1)) bits |= kRimBottomLeft;
      if (differs(1, 1)) bits |= kRimBottomRight;
      rim = static_cast<std::uint8_t>(bits);
    }
  }
}

std::vector<std::uint8_t> find_rims(const SliceNumbers& numbers, std::int64_t width) {
  std::vector<std::uint8_t> rims(numbers.size());
  const auto height = static_cast<std::int64_t>(numbers.size()) / width;
  find_rims(numbers, width, {{0, 0, 0}, {width, height, 1}}, rims);
  return rims;
}

/// Over a pixel: both premultiplied, the lower one opaque.
QRgb over(QRgb below, QRgb above) {
  const unsigned rest = 255U - static_cast<unsigned>(qAlpha(above));
  // Two channels at a time; (x * 257 + 257) >> 16 would be exact, + 128 and >> 8 is off by one at
  // most, but black must stay black and a full one full: that holds with the correction below.
  unsigned rb = (below & 0xFF00FFU) * rest + 0x800080U;
  rb = ((rb + ((rb >> 8) & 0xFF00FFU)) >> 8) & 0xFF00FFU;
  unsigned g = ((below >> 8) & 0xFFU) * rest + 0x80U;
  g = ((g + (g >> 8)) >> 8) & 0xFFU;
  return 0xFF000000U | (rb + (above & 0xFF00FFU)) | ((g << 8) + (above & 0xFF00U));
}

/// Where the pixels of one direction lie on the slice.
struct PixelPlaces {
  std::vector<std::int32_t> voxel;  // -1: beside the slice
  std::vector<std::uint8_t> near;   // near the voxel's lower (1) or upper (2) side: the line
  std::vector<std::uint8_t> halo;   // the same, within the halo's width
};

PixelPlaces pixel_places(int begin, int end, double edge, double pixels, std::int64_t count,
                         double line, double halo) {
  PixelPlaces places;
  const auto size = static_cast<std::size_t>(end - begin);
  places.voxel.assign(size, -1);
  places.near.assign(size, 0);
  places.halo.assign(size, 0);
  for (std::size_t i = 0; i < size; ++i) {
    const double at = (begin + static_cast<double>(i) + 0.5 - edge) / pixels;
    if (at < 0 || at >= static_cast<double>(count)) continue;
    const double voxel = std::floor(at);
    places.voxel[i] = static_cast<std::int32_t>(voxel);
    const double from_low = (at - voxel) * pixels;
    const double from_high = pixels - from_low;
    const auto bits = [&](double width) {
      return static_cast<std::uint8_t>((from_low < width ? 1 : 0) | (from_high < width ? 2 : 0));
    };
    places.near[i] = bits(line);
    places.halo[i] = bits(halo);
  }
  return places;
}

}  // namespace

SliceNumbers cut_slice(std::span<const std::uint16_t> voxels, const PlaneAxes& axes,
                       std::int64_t k) {
  const std::int64_t width = axes.width();
  const std::int64_t height = axes.height();
  SliceNumbers numbers(static_cast<std::size_t>(width * height));
  const std::int64_t step = axes.right_stride();
  for (std::int64_t v = 0; v < height; ++v) {
    const std::uint16_t* from = voxels.data() + axes.start(k) + v * axes.down_stride();
    std::uint16_t* to = numbers.data() + v * width;
    for (std::int64_t u = 0; u < width; ++u)
      to[u] = from[u * step];
  }
  return numbers;
}

SliceNumbers cut_seeds(const SeedVoxels& seeds, const PlaneAxes& axes, std::int64_t k) {
  SliceNumbers numbers;
  const Geometry& geometry = axes.geometry();
  const std::int64_t origin = axes.start(k);
  const Index3 corner = geometry.index_of(origin);
  // Slices along the slowest axis lie together in the sorted list.
  auto begin = seeds.seeds.begin();
  auto end = seeds.seeds.end();
  if (axes.slice_axis() == 2) {
    const std::int64_t plane = geometry.size[0] * geometry.size[1];
    const auto before = [](const Seed& seed, std::int64_t offset) { return seed.offset < offset; };
    begin = std::lower_bound(begin, end, k * plane, before);
    end = std::lower_bound(begin, end, (k + 1) * plane, before);
  }
  for (auto seed = begin; seed != end; ++seed) {
    const Index3 index = geometry.index_of(seed->offset);
    if (index[axes.slice_axis()] != k) continue;
    if (numbers.empty()) numbers.assign(static_cast<std::size_t>(axes.width() * axes.height()), 0);
    const std::int64_t u = std::abs(index[axes.right_axis()] - corner[axes.right_axis()]);
    const std::int64_t v = std::abs(index[axes.down_axis()] - corner[axes.down_axis()]);
    numbers[static_cast<std::size_t>(v * axes.width() + u)] = seed->label;
  }
  return numbers;
}

LabelPainter::LabelPainter(const std::vector<LabelStyle>& labels) {
  for (const LabelStyle& label : labels) {
    if (label.id >= colors_.size()) {
      colors_.resize(label.id + 1U, 0);
      known_.resize(label.id + 1U, false);
    }
    const int alpha = label.visible ? static_cast<int>(std::lround(label.opacity * 255)) : 0;
    colors_[label.id] = qRgba(label.color.red(), label.color.green(), label.color.blue(),
                              std::clamp(alpha, 0, 255));
    known_[label.id] = true;
  }
}

QRgb LabelPainter::color(std::uint16_t label) const {
  if (label == 0) return 0;
  if (label < colors_.size() && known_[label]) return colors_[label];
  const Rgb rgb = seedwave::label_color(label);
  return qRgb(rgb[0], rgb[1], rgb[2]);
}

VoxelLayer label_layer(const SliceNumbers& labels, std::int64_t width, const LabelPainter& painter,
                       const OverlayStyle& style) {
  VoxelLayer layer;
  if (std::all_of(labels.begin(), labels.end(), [](auto label) { return label == 0; })) return {};
  layer.line.resize(labels.size());
  if (!style.outline_only) layer.fill.resize(labels.size());
  std::uint16_t last = 0;
  QRgb fill = 0;
  QRgb line = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != last) {
      last = labels[i];
      const QRgb color = painter.color(last);
      fill = premultiplied(color, style.opacity);
      line = qAlpha(color) > 0 ? (color | 0xFF000000U) : 0;
    }
    layer.line[i] = line;
    if (!style.outline_only) layer.fill[i] = fill;
  }
  layer.rims = find_rims(labels, width);
  return layer;
}

VoxelLayer strength_layer(const SliceNumbers& strength, const OverlayStyle& style) {
  // Colours from 0 to full strength whatever theta is: a colour always means the same number.
  std::array<QRgb, 256> colors{};
  for (std::size_t i = 0; i < colors.size(); ++i)
    colors[i] = premultiplied(viridis()[i], style.opacity);
  const auto threshold = style.theta * kFullStrength;
  VoxelLayer layer;
  layer.fill.resize(strength.size());
  for (std::size_t i = 0; i < strength.size(); ++i) {
    if (strength[i] <= threshold) continue;
    const double share = std::min(strength[i] / kFullStrength, 1.0);
    layer.fill[i] = colors[static_cast<std::size_t>(std::lround(share * 255))];
  }
  return layer;
}

VoxelLayer reference_layer(const SliceNumbers& labels, std::int64_t width) {
  VoxelLayer layer;
  if (std::all_of(labels.begin(), labels.end(), [](auto label) { return label == 0; })) return {};
  layer.line.resize(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i)
    layer.line[i] = labels[i] != 0 ? 0xFFFFFFFFU : 0;
  layer.rims = find_rims(labels, width);
  return layer;
}

VoxelLayer seed_layer(const SliceNumbers& seeds, std::int64_t width, const LabelPainter& painter) {
  VoxelLayer layer;
  if (seeds.empty()) return layer;
  const auto height = static_cast<std::int64_t>(seeds.size()) / width;
  update_seed_layer(layer, seeds, width, painter, {{0, 0, 0}, {width, height, 1}});
  return layer;
}

void update_seed_layer(VoxelLayer& layer, const SliceNumbers& seeds, std::int64_t width,
                       const LabelPainter& painter, const Box& changed) {
  const auto height = static_cast<std::int64_t>(seeds.size()) / width;
  layer.fill.resize(seeds.size());
  layer.line.resize(seeds.size());
  layer.rims.resize(seeds.size());
  // A voxel more on each side: its rim may have changed.
  Box part = changed;
  for (int axis = 0; axis < 2; ++axis) {
    const std::int64_t count = axis == 0 ? width : height;
    part.lo[axis] = std::max<std::int64_t>(part.lo[axis] - 1, 0);
    part.hi[axis] = std::min<std::int64_t>(part.hi[axis] + 1, count);
  }
  for (std::int64_t v = part.lo[1]; v < part.hi[1]; ++v) {
    for (std::int64_t u = part.lo[0]; u < part.hi[0]; ++u) {
      const auto i = static_cast<std::size_t>(v * width + u);
      const QRgb color = painter.color(seeds[i]);
      const bool shown = qAlpha(color) != 0;
      layer.fill[i] = shown ? color | 0xFF000000U : 0;
      layer.line[i] = shown ? 0xFF101010U : 0;
    }
  }
  find_rims(seeds, width, part, layer.rims);
}

void draw_layer(const VoxelLayer& layer, const PlaneAxes& axes, const SliceTransform& transform,
                LineStyle style, double line_pixels, const QRect& rect, QImage& frame) {
  if (layer.empty() || rect.isEmpty()) return;
  const bool dashed = style == LineStyle::DashedWithHalo;
  const double halo = dashed ? 2 * line_pixels : line_pixels;
  const PixelPlaces columns = pixel_places(rect.left(), rect.right() + 1, transform.left,
                                           transform.u_pixels, axes.width(), line_pixels, halo);
  const PixelPlaces rows = pixel_places(rect.top(), rect.bottom() + 1, transform.top,
                                        transform.v_pixels, axes.height(), line_pixels, halo);
  const int dash = std::max(3, static_cast<int>(std::lround(2.5 * line_pixels)));
  const bool lines = !layer.line.empty();
  const bool fills = !layer.fill.empty();
  for (std::size_t y = 0; y < rows.voxel.size(); ++y) {
    if (rows.voxel[y] < 0) continue;
    const std::size_t row = static_cast<std::size_t>(rows.voxel[y] * axes.width());
    auto* out =
        reinterpret_cast<QRgb*>(frame.scanLine(rect.top() + static_cast<int>(y))) + rect.left();
    const unsigned row_near = rows.near[y] * 4U;
    const unsigned row_halo = rows.halo[y] * 4U;
    for (std::size_t x = 0; x < columns.voxel.size(); ++x) {
      if (columns.voxel[x] < 0) continue;
      const std::size_t voxel = row + static_cast<std::size_t>(columns.voxel[x]);
      if (lines && layer.rims[voxel] != 0 && layer.line[voxel] != 0) {
        const unsigned rims = layer.rims[voxel];
        const unsigned hit = rims & kNear[row_near | columns.near[x]];
        if (hit != 0) {
          QRgb color = layer.line[voxel];
          if (dashed) {
            // Along an upright edge the dashes run with y, else with x.
            const bool upright = (hit & (kRimLeft | kRimRight)) != 0;
            const int along =
                upright ? rect.top() + static_cast<int>(y) : rect.left() + static_cast<int>(x);
            if (along / dash % 3 == 2) color = 0xFF000000U;
          }
          out[x] = color;
          continue;
        }
        if (dashed && (rims & kNear[row_halo | columns.halo[x]]) != 0) {
          out[x] = 0xFF000000U;
          continue;
        }
      }
      if (fills && qAlpha(layer.fill[voxel]) != 0) out[x] = over(out[x], layer.fill[voxel]);
    }
  }
}

}  // namespace seedwave::ui
