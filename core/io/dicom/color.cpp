// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/color.h"

#include <algorithm>
#include <cmath>

namespace seedwave::io::dicom {
namespace {

std::int32_t shade(double value) {
  return static_cast<std::int32_t>(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
}

}  // namespace

std::vector<std::int32_t> interleave(std::span<const std::int32_t> planes) {
  const std::size_t pixels = planes.size() / 3;
  std::vector<std::int32_t> values(planes.size());
  for (std::size_t i = 0; i < pixels; ++i) {
    for (std::size_t c = 0; c < 3; ++c)
      values[3 * i + c] = planes[c * pixels + i];
  }
  return values;
}

std::vector<std::int32_t> unpack_422(std::span<const std::int32_t> values,
                                     const PixelLayout& layout) {
  std::vector<std::int32_t> full;
  full.reserve(static_cast<std::size_t>(layout.values()));
  const int pairs = (layout.columns + 1) / 2;
  for (int y = 0; y < layout.rows; ++y) {
    for (int x = 0; x < layout.columns; ++x) {
      const std::size_t pair = 4 * (static_cast<std::size_t>(y) * pairs + x / 2);
      full.insert(full.end(), {values[pair + x % 2], values[pair + 2], values[pair + 3]});
    }
  }
  return full;
}

void ybr_to_rgb(std::span<std::int32_t> values) {
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
    const double y = values[i];
    const double blue = values[i + 1] - 128;
    const double red = values[i + 2] - 128;
    values[i] = shade(y + 1.402 * red);
    values[i + 1] = shade(y - 0.344136 * blue - 0.714136 * red);
    values[i + 2] = shade(y + 1.772 * blue);
  }
}

std::vector<std::int32_t> apply_palette(std::span<const std::int32_t> indices,
                                        const Palette& palette) {
  std::vector<std::int32_t> values;
  values.reserve(3 * indices.size());
  const auto last = static_cast<std::int32_t>(palette.entries.size()) - 1;
  for (const std::int32_t index : indices) {
    const auto& entry =
        palette.entries[static_cast<std::size_t>(std::clamp(index - palette.first, 0, last))];
    values.insert(values.end(), {entry[0], entry[1], entry[2]});
  }
  return values;
}

}  // namespace seedwave::io::dicom
