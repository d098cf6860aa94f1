// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_sampler.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace seedwave::ui {
namespace {

constexpr std::uint32_t kBlack = 0xFF000000U;
/// Rows of the screen that a thread draws at a time, at least: it filters some rows of the image at
/// their edges that its neighbour filters too.
constexpr int kRowsOfThread = 96;

double kernel_radius(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::Nearest:
      return 0.5;
    case Interpolation::Linear:
      return 1.0;
    case Interpolation::Cubic:
      break;
  }
  return 2.0;
}

double kernel(Interpolation interpolation, double x) {
  x = std::abs(x);
  if (interpolation == Interpolation::Linear) return std::max(0.0, 1 - x);
  // Catmull-Rom: passes through the samples (Keys, IEEE Trans. ASSP 29(6):1153-1160, 1981).
  if (x < 1) return 1 + x * x * (1.5 * x - 2.5);
  if (x < 2) return 2 + x * (-4 + x * (2.5 - 0.5 * x));
  return 0;
}

/// Maps the values of one source row to display values 0..255, not yet clamped.
struct Affine {
  float scale = 1.0F;
  float offset = 0.0F;
};

Affine display_of(const SliceImage& image) {
  if (image.volume.components() > 1) {
    return {image.volume.type() == VoxelType::U16 ? 1.0F / 257 : 1.0F, 0.0F};
  }
  const double scale = 255.0 / image.window.width * (image.inverted ? -1 : 1);
  const double offset = (image.inverted ? 255.0 : 0.0) - image.window.low() * scale;
  return {static_cast<float>(scale), static_cast<float>(offset)};
}

template <typename T>
void gather_row(const T* start, std::int64_t stride, std::int64_t count, const Affine& affine,
                float* row) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = static_cast<float>(start[i * stride]) * affine.scale + affine.offset;
    // Keeps interpolation finite; NaN becomes black because the comparison is false.
    row[i] = value > -65536.0F ? std::min(value, 65536.0F) : -65536.0F;
  }
}

/// The source rows that an output row needs, filtered to the width of the output. Kept while
/// neighbouring output rows need them too.
class RowCache {
 public:
  RowCache(int rows, int width)
      : rows_(rows),
        width_(static_cast<std::size_t>(width)),
        of_(static_cast<std::size_t>(rows), -1),
        values_(static_cast<std::size_t>(rows) * width_) {}

  /// Returns the values of a row; calls `fill` if they are not cached.
  template <typename Fill>
  const float* row(int source, Fill&& fill) {
    const auto slot = static_cast<std::size_t>(source % rows_);
    float* values = values_.data() + slot * width_;
    if (of_[slot] != source) {
      fill(source, values);
      of_[slot] = source;
    }
    return values;
  }

 private:
  int rows_;
  std::size_t width_;
  std::vector<int> of_;
  std::vector<float> values_;
};

using Four [[gnu::vector_size(4 * sizeof(float))]] = float;

Four four(const float* at) {
  Four values;
  std::memcpy(&values, at, sizeof(values));
  return values;
}

void filter_row(const float* source, const FilterTaps& taps, int width, int source_begin,
                float* out) {
  const int count = taps.taps;
  for (int x = 0; x < width; ++x) {
    const float* at = source + (taps.first[static_cast<std::size_t>(x)] - source_begin);
    const float* weight = taps.weight.data() + static_cast<std::size_t>(x) * count;
    if (count == 1) {
      out[x] = at[0] * weight[0];
      continue;
    }
    Four sum = four(at) * four(weight);
    for (int t = 4; t < count; t += 4)
      sum += four(at + t) * four(weight + t);
    out[x] = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  }
}

/// Adds four rows, each with its weight, to `sum`.
void add_rows(const std::array<const float*, 4>& rows, const std::array<float, 4>& weights,
              std::vector<float>& sum) {
  for (std::size_t x = 0; x < sum.size(); ++x) {
    sum[x] += (rows[0][x] * weights[0] + rows[1][x] * weights[1]) +
              (rows[2][x] * weights[2] + rows[3][x] * weights[3]);
  }
}

/// Rounds to whole numbers in 0..255.
void to_bytes(const std::vector<float>& values, std::vector<std::int32_t>& bytes) {
  for (std::size_t x = 0; x < values.size(); ++x) {
    float value = values[x] + 0.5F;
    value = value > 0.0F ? value : 0.0F;
    value = value < 255.0F ? value : 255.0F;
    bytes[x] = static_cast<std::int32_t>(value);
  }
}

/// The pixels of a frame in a rectangle, as bytes.
struct Pixels {
  std::uint32_t* first = nullptr;
  std::ptrdiff_t stride = 0;

  [[nodiscard]] std::uint32_t* row(int y) const { return first + y * stride; }
};

/// Samples one component of the slice in the rows begin..end of `pixels`.
void sample_component(const SliceImage& image, int component, const FilterTaps& columns,
                      const FilterTaps& rows, int begin, int end, const Pixels& pixels) {
  const auto width = static_cast<int>(columns.first.size());
  const int source_begin = *std::min_element(columns.first.begin(), columns.first.end());
  const int source_end =
      *std::max_element(columns.first.begin(), columns.first.end()) + columns.taps;
  std::vector<float> source(static_cast<std::size_t>(source_end - source_begin));
  RowCache cache(rows.taps + 1, width);
  const Affine affine = display_of(image);
  const PlaneAxes& axes = image.axes;
  const int components = image.volume.components();
  const auto fill = [&](int v, float* out) {
    const std::int64_t last_u = axes.width() - 1;
    const std::int64_t last_v = axes.height() - 1;
    const std::int64_t at =
        axes.start(image.slice) + std::clamp<std::int64_t>(v, 0, last_v) * axes.down_stride();
    // Samples outside repeat the last one.
    const std::int64_t first = std::clamp<std::int64_t>(source_begin, 0, last_u);
    const std::int64_t last = std::clamp<std::int64_t>(source_end, first + 1, last_u + 1);
    const auto before = static_cast<std::size_t>(first - source_begin);
    const auto inside = static_cast<std::size_t>(last - first);
    visit_voxels(image.volume, [&](auto voxels) {
      gather_row(voxels.data() + (at + first * axes.right_stride()) * components + component,
                 axes.right_stride() * components, last - first, affine, source.data() + before);
    });
    std::fill_n(source.begin(), before, source[before]);
    std::fill(source.begin() + static_cast<std::ptrdiff_t>(before + inside), source.end(),
              source[before + inside - 1]);
    filter_row(source.data(), columns, width, source_begin, out);
  };
  const std::vector<float> nothing(static_cast<std::size_t>(width));
  std::vector<float> sum(static_cast<std::size_t>(width));
  std::vector<std::int32_t> bytes(static_cast<std::size_t>(width));
  const int shift = 16 - 8 * component;
  for (int y = begin; y < end; ++y) {
    std::fill(sum.begin(), sum.end(), 0.0F);
    const int first = rows.first[static_cast<std::size_t>(y)];
    for (int group = 0; group < rows.taps; group += 4) {
      std::array<const float*, 4> four_rows{};
      four_rows.fill(nothing.data());
      std::array<float, 4> weights{};
      for (int t = group; t < std::min(group + 4, rows.taps); ++t) {
        const float weight = rows.weight[static_cast<std::size_t>(y) * rows.taps + t];
        if (weight == 0) continue;
        const auto i = static_cast<std::size_t>(t - group);
        weights[i] = weight;
        // Shifted to be positive: the slot of a row is its number modulo the size of the cache.
        four_rows[i] = cache.row(first + t + rows.taps,
                                 [&](int shifted, float* out) { fill(shifted - rows.taps, out); });
      }
      add_rows(four_rows, weights, sum);
    }
    to_bytes(sum, bytes);
    std::uint32_t* line = pixels.row(y);
    if (components == 1) {
      for (int x = columns.inside_begin; x < columns.inside_end; ++x) {
        line[x] =
            kBlack | static_cast<std::uint32_t>(bytes[static_cast<std::size_t>(x)] * 0x010101);
      }
    } else {
      for (int x = columns.inside_begin; x < columns.inside_end; ++x)
        line[x] |= static_cast<std::uint32_t>(bytes[static_cast<std::size_t>(x)] << shift);
    }
  }
}

}  // namespace

FilterTaps filter_taps(int begin, int end, double edge, double pixels, std::int64_t count,
                       Interpolation interpolation) {
  FilterTaps result;
  const int pixel_count = end - begin;
  // When minifying, the kernel grows to cover all samples under a pixel.
  const double stretch = std::max(1.0, 1.0 / pixels);
  const bool nearest = interpolation == Interpolation::Nearest && stretch <= 1.0;
  const Interpolation used =
      interpolation == Interpolation::Nearest ? Interpolation::Linear : interpolation;
  const double radius = nearest ? 0.5 : kernel_radius(used) * stretch;
  // A multiple of four, which are summed at once.
  result.taps = nearest ? 1 : (static_cast<int>(std::ceil(2 * radius)) + 3) / 4 * 4;
  result.first.resize(static_cast<std::size_t>(pixel_count));
  result.weight.resize(static_cast<std::size_t>(pixel_count) * result.taps);
  for (int i = 0; i < pixel_count; ++i) {
    const double centre = (begin + i + 0.5 - edge) / pixels - 0.5;
    const bool inside = centre >= -0.5 && centre < static_cast<double>(count) - 0.5;
    if (inside) {
      if (result.inside_end == 0) result.inside_begin = i;
      result.inside_end = i + 1;
    }
    // Pixels outside the slice are not drawn; clamped so that extreme zooms do not overflow.
    const double safe = std::clamp(centre, -0.5, static_cast<double>(count) - 0.5 - 1e-9);
    float* weight = result.weight.data() + static_cast<std::size_t>(i) * result.taps;
    int& first = result.first[static_cast<std::size_t>(i)];
    if (nearest) {
      first = static_cast<int>(std::floor(safe + 0.5));
      weight[0] = 1.0F;
      continue;
    }
    first = static_cast<int>(std::floor(safe - radius)) + 1;
    double sum = 0;
    for (int t = 0; t < result.taps; ++t) {
      const double w = kernel(used, (first + t - safe) / stretch);
      weight[t] = static_cast<float>(w);
      sum += w;
    }
    for (int t = 0; t < result.taps; ++t)
      weight[t] = static_cast<float>(weight[t] / sum);
  }
  return result;
}

void draw_slice_image(const SliceImage& image, const SliceTransform& transform, const QRect& rect,
                      QImage& frame) {
  if (rect.isEmpty()) return;
  const Pixels pixels{reinterpret_cast<std::uint32_t*>(frame.scanLine(rect.top())) + rect.left(),
                      frame.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(std::uint32_t))};
  for (int y = 0; y < rect.height(); ++y)
    std::fill_n(pixels.row(y), rect.width(), kBlack);
  if (image.volume.empty()) return;
  const FilterTaps columns =
      filter_taps(rect.left(), rect.right() + 1, transform.left, transform.u_pixels,
                  image.axes.width(), image.interpolation);
  const FilterTaps rows = filter_taps(rect.top(), rect.bottom() + 1, transform.top,
                                      transform.v_pixels, image.axes.height(), image.interpolation);
  if (columns.inside_end == 0 || rows.inside_end == 0) return;
  Context context;
  parallel_for(context, rows.inside_end - rows.inside_begin, kRowsOfThread,
               [&](std::int64_t begin, std::int64_t end) {
                 for (int component = 0; component < std::min(image.volume.components(), 3);
                      ++component) {
                   sample_component(image, component, columns, rows,
                                    rows.inside_begin + static_cast<int>(begin),
                                    rows.inside_begin + static_cast<int>(end), pixels);
                 }
               });
}

}  // namespace seedwave::ui
