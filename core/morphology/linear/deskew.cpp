// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/deskew.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace seedwave {
namespace {

/// One slice, sampled between pixels.
template <typename Voxel>
class Slice {
 public:
  Slice(const Voxel* pixels, std::int64_t width, std::int64_t height, double around)
      : pixels_(pixels), width_(width), height_(height), around_(around) {}

  [[nodiscard]] double at(double x, double y) const {
    const double left = std::floor(x);
    const double top = std::floor(y);
    const auto column = static_cast<std::int64_t>(left);
    const auto row = static_cast<std::int64_t>(top);
    const double right_share = x - left;
    const double low_share = y - top;
    const double above = between(column, row, right_share);
    // A neighbour with weight 0 is not read: it may be infinite or outside.
    if (low_share == 0.0) return above;
    return (1.0 - low_share) * above + low_share * between(column, row + 1, right_share);
  }

 private:
  [[nodiscard]] double between(std::int64_t column, std::int64_t row, double right_share) const {
    const double left = pixel(column, row);
    if (right_share == 0.0) return left;
    return (1.0 - right_share) * left + right_share * pixel(column + 1, row);
  }
  [[nodiscard]] double pixel(std::int64_t column, std::int64_t row) const {
    if (column < 0 || row < 0 || column >= width_ || row >= height_) return around_;
    return static_cast<double>(pixels_[column + row * width_]);
  }

  const Voxel* pixels_;
  std::int64_t width_;
  std::int64_t height_;
  double around_;
};

template <typename Voxel>
Voxel as_voxel(double value) {
  if constexpr (std::is_floating_point_v<Voxel>) return static_cast<Voxel>(value);
  return static_cast<Voxel>(std::llround(value));  // between the image's own values, so it fits
}

}  // namespace

std::size_t strongest_angle(const std::vector<double>& angles, const std::vector<double>& sums,
                            LineFilter filter) {
  require(!angles.empty() && angles.size() == sums.size());
  const auto is_stronger = [&](std::size_t a, std::size_t b) {
    if (sums[a] != sums[b])
      return filter == LineFilter::Opening ? sums[a] > sums[b] : sums[a] < sums[b];
    return std::abs(angles[a]) < std::abs(angles[b]);
  };
  std::size_t strongest = 0;
  for (std::size_t i = 1; i < angles.size(); ++i) {
    if (is_stronger(i, strongest)) strongest = i;
  }
  return strongest;
}

Volume turned_clockwise(const Volume& image, double degrees, double around, Context& context) {
  const Geometry& geometry = image.geometry();
  const double radians = degrees * std::numbers::pi / 180.0;
  const double cosine = std::cos(radians);
  const double sine = std::sin(radians);
  const std::int64_t columns = geometry.size[0];
  const std::int64_t rows = geometry.size[1];
  const double middle_x = static_cast<double>(columns - 1) / 2.0;
  const double middle_y = static_cast<double>(rows - 1) / 2.0;
  const auto turn = [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    auto result = large_array<Voxel>(voxels.size());
    parallel_for(context, rows * geometry.size[2], 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const Slice<Voxel> slice(voxels.data() + i / rows * columns * rows, columns, rows, around);
        const double down = static_cast<double>(i % rows) - middle_y;
        for (std::int64_t x = 0; x < columns; ++x) {
          const double right = static_cast<double>(x) - middle_x;
          result[i * columns + x] = as_voxel<Voxel>(slice.at(
              middle_x + right * cosine + down * sine, middle_y - right * sine + down * cosine));
        }
      }
    });
    return Volume(geometry, std::move(result));
  };
  return visit_voxels(image, turn);
}

double middle_value(const Volume& image) {
  return visit_voxels(image, [](auto voxels) {
    std::vector values(voxels.begin(), voxels.end());
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return static_cast<double>(*middle);
  });
}

}  // namespace seedwave
