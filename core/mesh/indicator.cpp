// SPDX-License-Identifier: Apache-2.0
#include "core/mesh/indicator.h"

#include "core/base/error.h"

#include <algorithm>

namespace seedwave {
namespace {

/// Number of filter passes: a standard deviation of 1.4 voxels, so that steps are invisible.
constexpr int kSmoothings = 2;
/// Cells around the label. Each filter pass reaches two, and the surface must close.
constexpr std::int64_t kMargin = 5;
constexpr int kHalf = 128;
/// Inside stays above kIndicatorLevel by at least this much, outside below it.
constexpr int kLeastApart = 2;
void stop_if(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Cancelled();
}

Indicator sample_indicator(const LabelMap& map, Label label, const Box& box, std::int64_t factor,
                           const std::stop_token& stop) {
  Indicator out;
  out.factor = factor;
  out.size = indicator_size(box, factor);
  for (std::size_t axis = 0; axis < 3; ++axis)
    out.lo[axis] = box.lo[axis] - kMargin * factor;
  out.cells.assign(static_cast<std::size_t>(out.size[0] * out.size[1] * out.size[2]), 0);
  const std::int64_t in_cell = factor * factor * factor;
  std::vector<std::uint16_t> counts(static_cast<std::size_t>(out.size[0]));
  for (std::int64_t z = kMargin; z < out.size[2] - kMargin; ++z) {
    stop_if(stop);
    for (std::int64_t y = kMargin; y < out.size[1] - kMargin; ++y) {
      std::fill(counts.begin(), counts.end(), std::uint16_t{0});
      const std::int64_t z0 = out.lo[2] + z * factor;
      const std::int64_t y0 = out.lo[1] + y * factor;
      for (std::int64_t vz = z0; vz < std::min(z0 + factor, box.hi[2]); ++vz) {
        for (std::int64_t vy = y0; vy < std::min(y0 + factor, box.hi[1]); ++vy) {
          const std::int64_t first = map.geometry().offset({0, vy, vz});
          visit_labels(map.labels(), [&](auto labels) {
            const auto* row = labels.data() + first;
            for (std::int64_t vx = box.lo[0]; vx < box.hi[0]; ++vx) {
              if (row[vx] == label) ++counts[static_cast<std::size_t>((vx - out.lo[0]) / factor)];
            }
          });
        }
      }
      std::uint8_t* to = out.cells.data() + out.size[0] * (y + out.size[1] * z);
      for (std::size_t x = 0; x < counts.size(); ++x)
        to[x] = static_cast<std::uint8_t>(counts[x] * 255 / in_cell);
    }
  }
  return out;
}

/// Applies the binomial filter 1 4 6 4 1 along one axis, with zeros beyond the ends.
void smooth_axis(Indicator& indicator, int axis, const std::stop_token& stop) {
  const auto& size = indicator.size;
  const std::int64_t strides[] = {1, size[0], size[0] * size[1]};
  const std::int64_t step = strides[axis];
  const int inner = axis == 0 ? 1 : 0;
  const int outer = axis == 2 ? 1 : 2;
  const std::int64_t count = size[static_cast<std::size_t>(axis)];
  // Filters neighbouring lines together, so that memory is read along x.
  const std::int64_t bundle = axis == 0 ? 1 : size[0];
  std::vector<std::uint8_t> before(static_cast<std::size_t>((count + 4) * bundle), 0);
  const std::int64_t inner_count = axis == 0 ? size[static_cast<std::size_t>(inner)] : 1;
  for (std::int64_t o = 0; o < size[static_cast<std::size_t>(outer)]; ++o) {
    stop_if(stop);
    for (std::int64_t i = 0; i < inner_count; ++i) {
      std::uint8_t* cells = indicator.cells.data() + o * strides[outer] + i * strides[inner];
      for (std::int64_t n = 0; n < count; ++n)
        std::copy_n(cells + n * step, bundle, before.data() + (n + 2) * bundle);
      for (std::int64_t n = 0; n < count; ++n) {
        const std::uint8_t* from = before.data() + n * bundle;
        std::uint8_t* to = cells + n * step;
        for (std::int64_t b = 0; b < bundle; ++b) {
          const int sum = from[b] + 4 * from[b + bundle] + 6 * from[b + 2 * bundle] +
                          4 * from[b + 3 * bundle] + from[b + 4 * bundle];
          to[b] = static_cast<std::uint8_t>((sum + 8) / 16);
        }
      }
    }
  }
}

void keep_sides(const std::vector<std::uint8_t>& before, std::vector<std::uint8_t>& after) {
  for (std::size_t i = 0; i < after.size(); ++i) {
    const int value = after[i];
    after[i] = static_cast<std::uint8_t>(before[i] >= kHalf ? std::max(value, kHalf + kLeastApart)
                                                            : std::min(value, kHalf - kLeastApart));
  }
}

}  // namespace

Vec3 Indicator::voxel_at(const Vec3& cell) const noexcept {
  const double half = static_cast<double>(factor - 1) / 2;
  Vec3 voxel{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    voxel[axis] = static_cast<double>(lo[axis]) + half + cell[axis] * static_cast<double>(factor);
  return voxel;
}

Index3 indicator_size(const Box& box, std::int64_t factor) {
  Index3 size{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    size[axis] = (box.hi[axis] - box.lo[axis] + factor - 1) / factor + 2 * kMargin;
  return size;
}

Indicator smooth_indicator(const LabelMap& map, Label label, const Box& box, std::int64_t factor,
                           const std::stop_token& stop) {
  require(factor >= 1 && factor <= kMostReduction);  // the counts of a cell have 16 bits
  Indicator indicator = sample_indicator(map, label, box, factor, stop);
  const std::vector<std::uint8_t> before = indicator.cells;
  for (int pass = 0; pass < kSmoothings; ++pass) {
    for (int axis = 0; axis < 3; ++axis)
      smooth_axis(indicator, axis, stop);
  }
  keep_sides(before, indicator.cells);
  for (const std::uint8_t value : before)
    indicator.inside += value / 255.0;
  return indicator;
}

}  // namespace seedwave
