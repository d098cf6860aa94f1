// SPDX-License-Identifier: Apache-2.0
#include "core/image/outline.h"

#include <algorithm>
#include <cmath>

namespace seedwave {
namespace {

/// The crossings of an outline's edges with a row, ascending. An edge covers the half-open range of
/// rows from its lower to its upper end.
std::vector<double> crossings(const Outline& outline, double row) {
  std::vector<double> at;
  const auto& corners = outline.corners;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    auto low = corners[i];
    auto high = corners[(i + 1) % corners.size()];
    if (low[1] > high[1]) std::swap(low, high);
    if (row < low[1] || row >= high[1]) continue;
    at.push_back(low[0] + (row - low[1]) / (high[1] - low[1]) * (high[0] - low[0]));
  }
  std::sort(at.begin(), at.end());
  return at;
}

/// The first whole number at or above, inside 0..size.
std::int64_t first_at(double position, std::int64_t size) {
  return static_cast<std::int64_t>(std::ceil(std::clamp(position, 0.0, static_cast<double>(size))));
}

}  // namespace

std::vector<std::int64_t> rasterise(const Outline& outline, const Geometry& geometry) {
  std::vector<std::int64_t> offsets;
  if (outline.corners.size() < 3 || outline.slice < 0 ||
      outline.slice >= geometry.size[outline.slice_axis]) {
    return offsets;
  }
  const auto [low, high] =
      std::minmax_element(outline.corners.begin(), outline.corners.end(),
                          [](const auto& a, const auto& b) { return a[1] < b[1]; });
  const auto [along, across] = outline.axes;
  const std::int64_t last = first_at((*high)[1], geometry.size[across]);
  Index3 index{};
  index[outline.slice_axis] = outline.slice;
  for (std::int64_t row = first_at((*low)[1], geometry.size[across]); row < last; ++row) {
    const std::vector<double> at = crossings(outline, static_cast<double>(row));
    index[across] = row;
    for (std::size_t i = 0; i + 1 < at.size(); i += 2) {
      const std::int64_t end = first_at(at[i + 1], geometry.size[along]);
      for (std::int64_t column = first_at(at[i], geometry.size[along]); column < end; ++column) {
        index[along] = column;
        offsets.push_back(geometry.offset(index));
      }
    }
  }
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

}  // namespace seedwave
