// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/dicom_source.h"
#include "core/io/format_table.h"
#include "core/io/image_source.h"
#include "core/io/slides/slide_item.h"

#include <algorithm>
#include <cmath>

namespace seedwave::io {
namespace {

/// Loads only the middle slice.
LoadedImage load_middle_slice(const Item& item, Context& context) {
  const std::int64_t middle = item.geometry.size[2] / 2;
  if (item.kind == ItemKind::Slide) {
    const auto coarsest = static_cast<int>(item.slide->levels.size()) - 1;
    return load_slide(with_view(item, {.level = coarsest}), context, Damaged::Read);
  }
  if (item.format == "dicom") return load_dicom_slice(item, middle, context, Damaged::Read);
  const LoadOptions options{.slices = {middle, 1}, .as = ReadAs::Image, .damaged = Damaged::Read};
  for (const Format& format : format_table()) {
    if (format.name == item.format) return format.load(item, options, context);
  }
  return load(item, context, Damaged::Read);
}

struct Window {
  double low = 0.0;
  double high = 1.0;
};

/// Returns the file's own window, or the 1st to 99th percentile, so that a few bright voxels do not
/// darken the rest.
Window window_of(const Volume& volume, const DisplayHints& hints) {
  if (volume.components() == 3 && volume.type() == VoxelType::U8) return {0.0, 255.0};
  if (!hints.windows.empty()) {
    const WindowPreset& preset = hints.windows.front();
    return {preset.centre - preset.width / 2, preset.centre + preset.width / 2};
  }
  return visit_voxels(volume, [](auto values) {
    using T = typename decltype(values)::value_type;
    std::vector<T> sorted;
    std::copy_if(values.begin(), values.end(), std::back_inserter(sorted),
                 [](T value) { return std::isfinite(static_cast<double>(value)); });
    if (sorted.empty()) return Window{};
    const auto at = [&](double share) {
      const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(
                                              share * static_cast<double>(sorted.size() - 1));
      std::nth_element(sorted.begin(), place, sorted.end());
      return static_cast<double>(*place);
    };
    return Window{at(0.01), at(0.99)};
  });
}

/// Shrinks to the given size by averaging the pixels under each target pixel, then applies the
/// window.
template <typename T>
std::vector<std::uint8_t> shrink(std::span<const T> values, const Geometry& from, int components,
                                 std::int64_t z, std::int64_t width, std::int64_t height,
                                 const Window& window, bool inverted) {
  const double range = window.high > window.low ? window.high - window.low : 1.0;
  const auto edge = [](std::int64_t i, std::int64_t count, std::int64_t size) {
    return i * size / count;
  };
  std::vector<std::uint8_t> pixels;
  pixels.reserve(static_cast<std::size_t>(width * height * components));
  for (std::int64_t y = 0; y < height; ++y) {
    const std::int64_t y0 = edge(y, height, from.size[1]);
    const std::int64_t y1 = std::max(y0 + 1, edge(y + 1, height, from.size[1]));
    for (std::int64_t x = 0; x < width; ++x) {
      const std::int64_t x0 = edge(x, width, from.size[0]);
      const std::int64_t x1 = std::max(x0 + 1, edge(x + 1, width, from.size[0]));
      for (int component = 0; component < components; ++component) {
        double sum = 0.0;
        for (std::int64_t v = y0; v < y1; ++v) {
          for (std::int64_t u = x0; u < x1; ++u)
            sum += static_cast<double>(
                values[static_cast<std::size_t>(from.offset({u, v, z}) * components + component)]);
        }
        const double mean = sum / static_cast<double>((y1 - y0) * (x1 - x0));
        // NaN is displayed black.
        const double share =
            std::isnan(mean) ? 0.0 : std::clamp((mean - window.low) / range, 0.0, 1.0);
        pixels.push_back(
            static_cast<std::uint8_t>(std::lround(255 * (inverted ? 1 - share : share))));
      }
    }
  }
  return pixels;
}

}  // namespace

Volume thumbnail(const Item& item, int side, Context& context) {
  if (side < 1) throw UsageError("a thumbnail needs a size of at least 1 pixel");
  const LoadedImage image = load_middle_slice(item, context);
  const Geometry& from = image.volume.geometry();
  // Pixels that are not square are displayed in the proportions of the body.
  const double width_mm = static_cast<double>(from.size[0]) * from.spacing[0];
  const double height_mm = static_cast<double>(from.size[1]) * from.spacing[1];
  const double scale = side / std::max(width_mm, height_mm);
  Geometry small;
  small.unit = LengthUnit::Pixel;
  small.size = {std::max<std::int64_t>(1, std::llround(width_mm * scale)),
                std::max<std::int64_t>(1, std::llround(height_mm * scale)), 1};
  const int components = image.volume.components();
  const Window window = window_of(image.volume, image.hints);
  return visit_voxels(image.volume, [&](auto values) {
    return Volume(small,
                  shrink(values, from, components, from.size[2] / 2, small.size[0], small.size[1],
                         window, image.hints.inverted),
                  components);
  });
}

}  // namespace seedwave::io
