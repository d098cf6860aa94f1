// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/resample.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

namespace seedwave::io::dicom {
namespace {

/// Interpolates bilinearly in one slice.
template <typename T>
class SliceReader {
 public:
  SliceReader(std::span<const T> voxels, const Geometry& slices, int components, std::size_t slice)
      : columns_(slices.size[0]), rows_(slices.size[1]), components_(components) {
    const auto values = static_cast<std::size_t>(columns_ * rows_ * components);
    voxels_ = voxels.subspan(slice * values, values);
  }

  /// Returns the value, or nothing beyond half a pixel outside the outermost pixel centres. Within
  /// that half pixel the edge is extended.
  [[nodiscard]] std::optional<double> at(double x, double y, int component) const {
    if (x < -0.5 || y < -0.5 || x > static_cast<double>(columns_) - 0.5 ||
        y > static_cast<double>(rows_) - 0.5) {
      return std::nullopt;
    }
    x = std::clamp(x, 0.0, static_cast<double>(columns_ - 1));
    y = std::clamp(y, 0.0, static_cast<double>(rows_ - 1));
    const auto x0 = static_cast<std::int64_t>(x);
    const auto y0 = static_cast<std::int64_t>(y);
    const std::int64_t x1 = std::min(x0 + 1, columns_ - 1);
    const std::int64_t y1 = std::min(y0 + 1, rows_ - 1);
    const double fx = x - static_cast<double>(x0);
    const double fy = y - static_cast<double>(y0);
    const double top = (1 - fx) * value(x0, y0, component) + fx * value(x1, y0, component);
    const double bottom = (1 - fx) * value(x0, y1, component) + fx * value(x1, y1, component);
    return (1 - fy) * top + fy * bottom;
  }

 private:
  [[nodiscard]] double value(std::int64_t x, std::int64_t y, int component) const {
    return static_cast<double>(
        voxels_[static_cast<std::size_t>((x + columns_ * y) * components_ + component)]);
  }

  std::int64_t columns_;
  std::int64_t rows_;
  int components_;
  std::span<const T> voxels_;
};

/// The slices on both sides of a position, and the upper one's share.
struct Between {
  std::size_t below = 0;
  std::size_t above = 0;
  double share = 0;
};

Between neighbours(const std::vector<Vec3>& first_pixels, double z) {
  const auto above = std::lower_bound(first_pixels.begin(), first_pixels.end(), z,
                                      [](const Vec3& p, double place) { return p[2] < place; });
  if (above == first_pixels.begin()) return {0, 0, 0};
  const auto index = static_cast<std::size_t>(above - first_pixels.begin());
  if (above == first_pixels.end()) return {index - 1, index - 1, 0};
  const double low = first_pixels[index - 1][2];
  return {index - 1, index, (z - low) / ((*above)[2] - low)};
}

template <typename T>
T rounded(double value) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(value);
  } else {
    return static_cast<T>(std::floor(value + 0.5));
  }
}

template <typename T>
void fill_slice(const Volume& slices, const std::vector<Vec3>& first_pixels, const Geometry& grid,
                std::int64_t z, T outside, T* target) {
  const int components = slices.components();
  const Between between = neighbours(first_pixels, static_cast<double>(z));
  const SliceReader<T> below(slices.voxels<T>(), slices.geometry(), components, between.below);
  const SliceReader<T> above(slices.voxels<T>(), slices.geometry(), components, between.above);
  const Vec3& a = first_pixels[between.below];
  const Vec3& b = first_pixels[between.above];
  for (std::int64_t y = 0; y < grid.size[1]; ++y) {
    for (std::int64_t x = 0; x < grid.size[0]; ++x) {
      for (int c = 0; c < components; ++c, ++target) {
        const auto low = below.at(static_cast<double>(x) - a[0], static_cast<double>(y) - a[1], c);
        const auto high = above.at(static_cast<double>(x) - b[0], static_cast<double>(y) - b[1], c);
        // If one of the two does not reach this point, there is nothing to interpolate with.
        const std::optional<double> nearer = between.share < 0.5 ? low : high;
        *target = low && high ? rounded<T>((1 - between.share) * *low + between.share * *high)
                  : nearer    ? rounded<T>(*nearer)
                              : outside;
      }
    }
  }
}

template <typename T>
Volume resample(std::span<const T> voxels, const Volume& slices,
                const std::vector<Vec3>& first_pixels, const Geometry& grid, Context& context) {
  const T outside = *std::min_element(voxels.begin(), voxels.end());
  const std::int64_t plane = grid.size[0] * grid.size[1] * slices.components();
  std::vector<T> result(static_cast<std::size_t>(plane * grid.size[2]));
  parallel_for(context, grid.size[2], 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t z = begin; z < end; ++z) {
      context.checkpoint(static_cast<double>(z) / static_cast<double>(grid.size[2]));
      fill_slice<T>(slices, first_pixels, grid, z, outside, result.data() + z * plane);
    }
  });
  return Volume(grid, std::move(result), slices.components());
}

}  // namespace

Volume resample_slices(const Volume& slices, const std::vector<Vec3>& first_pixels,
                       const Geometry& grid, Context& context) {
  return visit_voxels(
      slices, [&](auto voxels) { return resample(voxels, slices, first_pixels, grid, context); });
}

}  // namespace seedwave::io::dicom
