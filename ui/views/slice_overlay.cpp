// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_overlay.h"

#include "core/image/label_color.h"
#include "ui/views/color_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

namespace seedwave::ui {
namespace {

QRgb premultiplied(QRgb color, double share) {
  const double alpha = std::clamp(qAlpha(color) / 255.0 * share, 0.0, 1.0);
  const auto part = [&](int value) { return static_cast<int>(std::lround(value * alpha)); };
  return qRgba(part(qRed(color)), part(qGreen(color)), part(qBlue(color)),
               static_cast<int>(std::lround(255 * alpha)));
}

constexpr QRgb kDarkRim = 0xFF101010U;
constexpr QRgb kBrightRim = 0xFFF4F4F4U;

QRgb rim_of(QRgb line) {
  constexpr int kMiddle = 110;
  return qGray(line) >= kMiddle ? kDarkRim : kBrightRim;
}

constexpr int kLevels = 256;
/// Opacity levels of a weighted map; together with the colour levels they fill the range of u16.
constexpr int kOpacities = 255;

std::size_t largest(const SliceNumbers& numbers) {
  return numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
}

/// Blends a colour over a pixel: both premultiplied, the lower one opaque.
QRgb over(QRgb below, QRgb above) {
  const unsigned rest = 255U - static_cast<unsigned>(qAlpha(above));
  // Blends two channels at a time. (x * 257 + 257) >> 16 would be exact; + 128 and >> 8 is off by
  // one at most. The correction below keeps black at 0 and full intensity at 255.
  unsigned rb = (below & 0xFF00FFU) * rest + 0x800080U;
  rb = ((rb + ((rb >> 8) & 0xFF00FFU)) >> 8) & 0xFF00FFU;
  unsigned g = ((below >> 8) & 0xFFU) * rest + 0x80U;
  g = ((g + (g >> 8)) >> 8) & 0xFFU;
  return 0xFF000000U | (rb + (above & 0xFF00FFU)) | ((g << 8) + (above & 0xFF00U));
}

/// Returns the voxel of a row or column under each pixel of begin..end; -1 outside the slice.
std::vector<std::int32_t> voxels_under(int begin, int end, double edge, double pixels,
                                       std::int64_t count) {
  std::vector<std::int32_t> voxels(static_cast<std::size_t>(end - begin), -1);
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const double at = (begin + static_cast<double>(i) + 0.5 - edge) / pixels;
    if (at >= 0 && at < static_cast<double>(count)) voxels[i] = static_cast<std::int32_t>(at);
  }
  return voxels;
}

/// The numbers under the pixels of a part of the screen and `reach` pixels around it, row by row.
/// Outside the slice, the numbers at its edge are repeated, so that the edge of the image has no
/// outline.
class PixelRows {
 public:
  PixelRows(const VoxelLayer& layer, const PlaneAxes& axes, const SliceTransform& transform,
            const QRect& rect, int reach)
      : layer_(layer),
        width_(axes.width()),
        reach_(reach),
        columns_(voxels_under(rect.left() - reach, rect.right() + 1 + reach, transform.left,
                              transform.u_pixels, axes.width())),
        rows_(voxels_under(rect.top() - reach, rect.bottom() + 1 + reach, transform.top,
                           transform.v_pixels, axes.height())) {
    const auto count = static_cast<std::size_t>(2 * reach + 1);
    kept_.resize(count);
    kept_row_.assign(count, std::numeric_limits<int>::min());
  }

  /// Returns the first and last pixel of `rect` on the slice, counted from its left edge.
  [[nodiscard]] std::pair<int, int> columns() const {
    const auto on = [](std::int32_t voxel) { return voxel >= 0; };
    const auto begin = columns_.begin() + reach_;
    const auto end = columns_.end() - reach_;
    const auto first = std::find_if(begin, end, on);
    const auto last = std::find_if_not(first, end, on);
    return {static_cast<int>(first - begin), static_cast<int>(last - begin)};
  }
  [[nodiscard]] bool on_slice(int y) const { return voxel_row(y) >= 0; }

  /// Returns the numbers under pixel row `y`, starting at the left edge of `rect`; `reach` more can
  /// be read on either side. Rows outside the slice read as row `own`. Valid for the next 2 * reach
  /// + 1 rows.
  const std::uint16_t* row(int y, int own) {
    const int from = on_slice(y) ? y : own;
    const auto slot = static_cast<std::size_t>((from + reach_) % static_cast<int>(kept_.size()));
    if (kept_row_[slot] != from) gather(from, slot);
    return kept_[slot].data() + reach_;
  }

 private:
  [[nodiscard]] std::int32_t voxel_row(int y) const {
    return rows_[static_cast<std::size_t>(y + reach_)];
  }
  void gather(int y, std::size_t slot) {
    kept_row_[slot] = y;
    std::vector<std::uint16_t>& into = kept_[slot];
    into.resize(columns_.size());
    const std::uint16_t* from = layer_.numbers.data() + voxel_row(y) * width_;
    for (std::size_t x = 0; x < columns_.size(); ++x)
      into[x] = columns_[x] < 0 ? 0 : from[columns_[x]];
    // Repeats the numbers at the edge.
    const auto first =
        std::find_if(columns_.begin(), columns_.end(), [](auto v) { return v >= 0; });
    const auto end = std::find_if_not(first, columns_.end(), [](auto v) { return v >= 0; });
    if (first == end) return;
    const auto low = static_cast<std::size_t>(first - columns_.begin());
    const auto high = static_cast<std::size_t>(end - columns_.begin());
    std::fill(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(low), into[low]);
    std::fill(into.begin() + static_cast<std::ptrdiff_t>(high), into.end(), into[high - 1]);
  }

  const VoxelLayer& layer_;
  std::int64_t width_;
  int reach_;
  std::vector<std::int32_t> columns_;
  std::vector<std::int32_t> rows_;
  std::vector<std::vector<std::uint16_t>> kept_;
  std::vector<int> kept_row_;
};

/// A row of pixels with the rows above and below, up to `reach` away.
struct Around {
  const std::uint16_t* own = nullptr;
  std::vector<const std::uint16_t*> above;
  std::vector<const std::uint16_t*> below;

  enum class Border { None, Upright, Level };
  /// Returns whether another number lies within `width` pixels, and on which sides.
  [[nodiscard]] Border border(int x, int width) const {
    const std::uint16_t number = own[x];
    for (int d = 1; d <= width; ++d) {
      if (own[x - d] != number || own[x + d] != number) return Border::Upright;
    }
    for (std::size_t d = 0; d < static_cast<std::size_t>(width); ++d) {
      if (above[d][x] != number || below[d][x] != number) return Border::Level;
    }
    return Border::None;
  }
  /// Returns a number within `width` pixels to the left, right, above or below; 0 if there is none.
  [[nodiscard]] std::uint16_t beside(int x, int width) const {
    for (int d = 1; d <= width; ++d) {
      const auto row = static_cast<std::size_t>(d - 1);
      for (const std::uint16_t number : {own[x - d], own[x + d], above[row][x], below[row][x]}) {
        if (number != 0) return number;
      }
    }
    return 0;
  }
};

/// Numbers 32-bit labels in the order in which they are met; smaller ones are their own numbers.
template <typename T>
class Numbering {
 public:
  explicit Numbering(std::vector<Label>& label_of) : label_of_(label_of) {
    if constexpr (sizeof(T) == 4) label_of_.push_back(0);
  }
  std::uint16_t number_of(T label) {
    if constexpr (sizeof(T) < 4) return label;
    if (label == last_label_) return last_number_;
    last_label_ = label;
    const auto [found, is_new] = number_of_.try_emplace(label, next());
    if (is_new && label_of_.size() <= kMost) label_of_.push_back(label);
    return last_number_ = found->second;
  }

 private:
  static constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
  [[nodiscard]] std::uint16_t next() const {
    return static_cast<std::uint16_t>((number_of_.size() - 1) % kMost + 1);
  }

  std::vector<Label>& label_of_;
  std::unordered_map<Label, std::uint16_t> number_of_{{0, 0}};
  T last_label_ = 0;
  std::uint16_t last_number_ = 0;
};

/// Returns the number of a label in a cut slice. Another label than those of the slice gets the
/// next.
std::uint16_t number_in(SliceLabels& cut, Label label) {
  if (cut.label_of.empty()) return static_cast<std::uint16_t>(label);
  constexpr std::ptrdiff_t kMost = std::numeric_limits<std::uint16_t>::max();
  const auto found = std::find(cut.label_of.begin(), cut.label_of.end(), label);
  const std::ptrdiff_t number = found - cut.label_of.begin();
  if (found == cut.label_of.end() && number <= kMost) cut.label_of.push_back(label);
  return static_cast<std::uint16_t>(std::min(number, kMost));
}

}  // namespace

SliceLabels cut_slice(const LabelMap& labels, const PlaneAxes& axes, std::int64_t k) {
  if (labels.empty() || labels.geometry().size != axes.geometry().size) return {};
  const std::int64_t width = axes.width();
  const std::int64_t height = axes.height();
  const std::int64_t step = axes.right_stride();
  SliceLabels cut;
  cut.numbers.resize(static_cast<std::size_t>(width * height));
  visit_labels(labels.labels(), [&]<typename T>(std::span<const T> voxels) {
    Numbering<T> numbering(cut.label_of);
    for (std::int64_t v = 0; v < height; ++v) {
      const T* from = voxels.data() + axes.start(k) + v * axes.down_stride();
      std::uint16_t* to = cut.numbers.data() + v * width;
      for (std::int64_t u = 0; u < width; ++u)
        to[u] = numbering.number_of(from[u * step]);
    }
  });
  return cut;
}

void lay_over(const LabelPatch& patch, const PlaneAxes& axes, std::int64_t k, SliceLabels& cut) {
  const int normal = axes.slice_axis();
  if (cut.numbers.empty() || k < patch.box.lo[normal] || k >= patch.box.hi[normal]) return;
  const Geometry& geometry = axes.geometry();
  const Index3 corner = geometry.index_of(axes.start(k));
  for (const LabelRun& run : patch.runs) {
    for (std::int64_t begin = run.begin; begin < run.end;) {
      // The part of the run in one row, and of that the part in the slice.
      Index3 index = geometry.index_of(begin);
      const std::int64_t end = std::min(run.end, begin - index[0] + geometry.size[0]);
      const std::int64_t row_end = index[0] + end - begin;
      const std::int64_t low = normal == 0 ? std::max(index[0], k) : index[0];
      const std::int64_t high = normal == 0 ? std::min(row_end, k + 1) : row_end;
      begin = end;
      if (low >= high || (normal != 0 && index[normal] != k)) continue;
      const std::uint16_t number = number_in(cut, run.label);
      for (index[0] = low; index[0] < high; ++index[0]) {
        const std::int64_t u = std::abs(index[axes.right_axis()] - corner[axes.right_axis()]);
        const std::int64_t v = std::abs(index[axes.down_axis()] - corner[axes.down_axis()]);
        cut.numbers[static_cast<std::size_t>(v * axes.width() + u)] = number;
      }
    }
  }
}

SliceNumbers cut_changes(const LabelMap& before, const LabelMap& after, const PlaneAxes& axes,
                         std::int64_t k) {
  const Index3& size = axes.geometry().size;
  if (before.empty() || before.geometry().size != size || after.geometry().size != size) return {};
  SliceNumbers numbers(static_cast<std::size_t>(axes.width() * axes.height()));
  visit_labels(before.labels(), after.labels(), [&](auto of_before, auto of_after) {
    std::size_t place = 0;
    for (std::int64_t v = 0; v < axes.height(); ++v) {
      std::int64_t offset = axes.start(k) + v * axes.down_stride();
      for (std::int64_t u = 0; u < axes.width(); ++u, offset += axes.right_stride()) {
        const auto at = static_cast<std::size_t>(offset);
        numbers[place++] = of_before[at] != of_after[at] ? 1 : 0;
      }
    }
  });
  return numbers;
}

SliceNumbers cut_seeds(const SeedVoxels& seeds, const PlaneAxes& axes, std::int64_t k) {
  SliceNumbers numbers;
  const Geometry& geometry = axes.geometry();
  const std::int64_t origin = axes.start(k);
  const Index3 corner = geometry.index_of(origin);
  // Slices along the slowest axis are contiguous in the sorted list.
  auto begin = seeds.seeds.begin();
  auto end = seeds.seeds.end();
  if (axes.slice_axis() == 2) {
    const std::int64_t plane = geometry.size[0] * geometry.size[1];
    const auto before = [](const Seed& seed, std::int64_t offset) { return seed.offset < offset; };
    begin = std::lower_bound(begin, end, k * plane, before);
    end = std::lower_bound(begin, end, (k + 1) * plane, before);
  }
  for (auto seed = begin; seed != end; ++seed) {
    if (seed->offset < 0 || seed->offset >= geometry.voxel_count()) continue;
    const Index3 index = geometry.index_of(seed->offset);
    if (index[axes.slice_axis()] != k) continue;
    if (numbers.empty()) numbers.assign(static_cast<std::size_t>(axes.width() * axes.height()), 0);
    const std::int64_t u = std::abs(index[axes.right_axis()] - corner[axes.right_axis()]);
    const std::int64_t v = std::abs(index[axes.down_axis()] - corner[axes.down_axis()]);
    numbers[static_cast<std::size_t>(v * axes.width() + u)] =
        static_cast<std::uint16_t>(seed->label);  // painted, so at most kLargestLabel
  }
  return numbers;
}

LabelPainter::LabelPainter(const std::vector<LabelStyle>& labels, const std::vector<Rgb>& others)
    : others_(others) {
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

QRgb LabelPainter::color(Label label) const {
  if (label == 0) return 0;
  if (label < colors_.size() && known_[label]) return colors_[label];
  const Rgb rgb = others_.empty() ? seedwave::label_color(label)
                                  : others_[(label - std::size_t{1}) % others_.size()];
  return qRgb(rgb[0], rgb[1], rgb[2]);
}

void color_labels(VoxelLayer& layer, const LabelPainter& painter, const OverlayStyle& style) {
  const std::size_t count = largest(layer.numbers) + 1;
  layer.fill.assign(style.outline_only ? 0 : count, 0);
  layer.line.assign(count, 0);
  for (std::size_t id = 1; id < count; ++id) {
    const QRgb color =
        painter.color(layer.label_of.empty() ? static_cast<Label>(id) : layer.label_of[id]);
    if (qAlpha(color) == 0) continue;
    if (!style.outline_only) layer.fill[id] = premultiplied(color, style.opacity);
    layer.line[id] = color | 0xFF000000U;
  }
}

void color_changes(VoxelLayer& layer) {
  layer.fill = {0, qPremultiply(qRgba(255, 255, 255, 110))};
  layer.line = {0, qRgb(255, 255, 255)};
}

void color_reference(VoxelLayer& layer) {
  layer.line.assign(largest(layer.numbers) + 1, 0xFFFFFFFFU);
  layer.line[0] = 0;
}

void color_seeds(VoxelLayer& layer, const LabelPainter& painter) {
  // All labels: strokes are added to the layer while they are drawn.
  constexpr std::size_t kAll = std::numeric_limits<std::uint16_t>::max() + std::size_t{1};
  layer.fill.assign(kAll, 0);
  layer.line.assign(kAll, 0);
  for (std::size_t id = 1; id < kAll; ++id) {
    const QRgb color = painter.color(static_cast<Label>(id));
    if (qAlpha(color) == 0) continue;
    layer.fill[id] = color | 0xFF000000U;
    layer.line[id] = 0xFF101010U;
  }
}

void color_map_levels(VoxelLayer& layer, const OverlayStyle& style, Weighed weighed) {
  const ColorTable& colors = color_table(style.map.colors);
  const bool one = weighed == Weighed::No;
  const int opacities = one ? 1 : kOpacities;
  const double most = one ? style.opacity : std::min(1.0, 2.0 * style.opacity);
  layer.line.clear();
  layer.fill.assign(1, 0);
  for (int opacity = 1; opacity <= opacities; ++opacity) {
    for (const QRgb color : colors)
      layer.fill.push_back(premultiplied(color, most * opacity / opacities));
  }
}

SliceValues cut_values(const ScalarMap& map, const PlaneAxes& axes, std::int64_t k) {
  if (map.empty() || map.volume.geometry().size != axes.geometry().size) return {};
  const std::int64_t width = axes.width();
  const std::int64_t height = axes.height();
  SliceValues values(static_cast<std::size_t>(width * height));
  const std::int64_t step = axes.right_stride();
  visit_voxels(map.volume, [&](const auto& voxels) {
    for (std::int64_t v = 0; v < height; ++v) {
      const auto* from = voxels.data() + axes.start(k) + v * axes.down_stride();
      float* to = values.data() + v * width;
      for (std::int64_t u = 0; u < width; ++u)
        to[u] = static_cast<float>(map.shown(static_cast<double>(from[u * step])));
    }
  });
  return values;
}

namespace {

/// Maps periodic values to their nearest level; the last level is next to the first.
SliceNumbers level_numbers_around(const SliceValues& values, const MapStyle& style) {
  const auto rounds = static_cast<float>(1.0 / style.period);
  SliceNumbers numbers(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    const float around = values[i] * rounds;
    const float level = (around - std::floor(around)) * kLevels;
    numbers[i] = static_cast<std::uint16_t>(std::lround(level) % kLevels + 1);
  }
  return numbers;
}

}  // namespace

SliceNumbers level_numbers(const SliceValues& values, const MapStyle& style) {
  if (style.period > 0.0) return level_numbers_around(values, style);
  const auto low = static_cast<float>(style.low);
  const auto scale = static_cast<float>((kLevels - 1) / (style.high - style.low));
  const auto threshold = static_cast<float>(style.threshold);
  SliceNumbers numbers(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    // NaN is never above; if everything is shown, minus infinity is.
    const bool shown = style.shows_all() ? !std::isnan(values[i]) : values[i] > threshold;
    const float level = std::clamp((values[i] - low) * scale, 0.0F, kLevels - 1.0F);
    numbers[i] = shown ? static_cast<std::uint16_t>(level + 1.5F) : 0;
  }
  return numbers;
}

SliceNumbers weighed_numbers(const SliceValues& values, const SliceValues& weights,
                             const MapStyle& style) {
  SliceNumbers numbers = level_numbers(values, style);
  const auto faint = static_cast<float>(style.faint);
  const auto scale = static_cast<float>(kOpacities / (style.full - style.faint));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == 0) continue;
    // NaN is never above.
    const float over = weights[i] > faint ? (weights[i] - faint) * scale : 0.0F;
    const auto opacity = static_cast<int>(std::min<float>(over + 0.5F, kOpacities));
    numbers[i] = opacity == 0 ? std::uint16_t{0}
                              : static_cast<std::uint16_t>(numbers[i] + (opacity - 1) * kLevels);
  }
  return numbers;
}

std::vector<float> region_widths(const SliceNumbers& numbers, const PlaneAxes& axes) {
  constexpr std::int64_t kMostLookedAt = std::int64_t{1} << 20;
  const std::int64_t width = axes.width();
  const std::int64_t height = axes.height();
  std::vector<std::int64_t> voxels(largest(numbers) + 1, 0);
  std::vector<std::int64_t> edges(voxels.size(), 0);
  const std::int64_t step = 1 + width * height / kMostLookedAt;
  for (std::int64_t v = 0; v < height; v += step) {
    const std::uint16_t* row = numbers.data() + v * width;
    const std::uint16_t* below = v + 1 < height ? row + width : row;
    for (std::int64_t u = 0; u < width; ++u) {
      const std::uint16_t number = row[u];
      ++voxels[number];
      for (const std::uint16_t other : {row[std::min(u + 1, width - 1)], below[u]}) {
        if (other == number) continue;
        ++edges[number];
        ++edges[other];
      }
    }
  }
  std::vector<float> widths(voxels.size());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    // A number without edges fills the slice or was not sampled.
    widths[i] = edges[i] == 0 ? static_cast<float>(std::max(width, height))
                              : 2.0F * static_cast<float>(voxels[i]) / static_cast<float>(edges[i]);
  }
  return widths;
}

std::vector<QRgb> lines_seen(const VoxelLayer& layer, double pixels, LineStyle style,
                             int line_pixels) {
  std::vector<QRgb> lines = layer.line;
  if (layer.fill.empty()) return lines;
  const double least = 4.0 * outline_reach(style, line_pixels);
  for (std::size_t i = 0; i < std::min(lines.size(), layer.width.size()); ++i) {
    if (layer.width[i] * pixels < least) lines[i] = 0;
  }
  return lines;
}

void draw_layer(const VoxelLayer& layer, const PlaneAxes& axes, const SliceTransform& transform,
                LineStyle style, int line_pixels, const QRect& rect, QImage& frame) {
  if (layer.empty() || rect.isEmpty()) return;
  const std::vector<QRgb> seen = lines_seen(layer, transform.u_pixels, style, line_pixels);
  const bool lines = !seen.empty();
  const bool fills = !layer.fill.empty();
  const bool dashed = style == LineStyle::DashedWithHalo;
  const bool outside = lines && style == LineStyle::Around;
  const int reach = lines ? outline_reach(style, line_pixels) : 0;
  const int dash = std::max(3, (5 * line_pixels + 1) / 2);
  PixelRows rows(layer, axes, transform, rect, reach);
  const auto [first, last] = rows.columns();
  Around around;
  around.above.resize(static_cast<std::size_t>(reach));
  around.below.resize(static_cast<std::size_t>(reach));
  for (int y = 0; y < rect.height(); ++y) {
    if (!rows.on_slice(y)) continue;
    auto* out = reinterpret_cast<QRgb*>(frame.scanLine(rect.top() + y)) + rect.left();
    around.own = rows.row(y, y);
    for (int d = 1; d <= reach; ++d) {
      around.above[static_cast<std::size_t>(d - 1)] = rows.row(y - d, y);
      around.below[static_cast<std::size_t>(d - 1)] = rows.row(y + d, y);
    }
    for (int x = first; x < last; ++x) {
      const std::uint16_t number = around.own[x];
      if (number == 0) {
        const std::uint16_t beside = outside ? around.beside(x, line_pixels) : 0;
        if (beside != 0 && seen[beside] != 0) out[x] = seen[beside];
        continue;
      }
      const QRgb line = lines && !outside ? seen[number] : 0;
      if (line != 0) {
        const Around::Border border = around.border(x, line_pixels);
        if (border != Around::Border::None) {
          // Along an upright edge, dashes follow y, otherwise x.
          const int along = border == Around::Border::Upright ? rect.top() + y : rect.left() + x;
          out[x] = dashed && along / dash % 3 == 2 ? 0xFF000000U : line;
          continue;
        }
        if (reach > line_pixels && around.border(x, reach) != Around::Border::None) {
          out[x] = dashed ? 0xFF000000U : rim_of(line);
          continue;
        }
      }
      if (fills && qAlpha(layer.fill[number]) != 0) out[x] = over(out[x], layer.fill[number]);
    }
  }
}

}  // namespace seedwave::ui
