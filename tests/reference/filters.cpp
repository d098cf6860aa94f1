// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/filters.h"

#include <algorithm>
#include <cmath>

namespace seedwave::reference {
namespace {

/// Returns the value at an index, or that of the border voxel nearest to it.
double repeated(const std::vector<double>& values, const Geometry& geometry, Index3 index) {
  for (int axis = 0; axis < 3; ++axis)
    index[axis] = std::clamp<std::int64_t>(index[axis], 0, geometry.size[axis] - 1);
  return values[geometry.offset(index)];
}

std::vector<double> values_of(const Volume& image) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < image.geometry().voxel_count(); ++i)
    values.push_back(image.value_at(image.geometry().index_of(i)));
  return values;
}

double stored(double sum, VoxelType type) {
  return type == VoxelType::I32 ? sum : static_cast<double>(static_cast<float>(sum));
}

}  // namespace

std::vector<double> gaussian_sums(const Volume& image, const Vec3& sigma) {
  const Geometry& geometry = image.geometry();
  std::vector<double> values = values_of(image);
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] == 1 || sigma[axis] == 0.0) continue;
    const int reach = static_cast<int>(std::ceil(4.0 * sigma[axis]));
    std::vector<double> weights{1.0};
    double total = 1.0;
    for (int k = 1; k <= reach; ++k) {
      weights.push_back(std::exp(-double(k) * k / (2.0 * sigma[axis] * sigma[axis])));
      total += 2.0 * weights.back();
    }
    std::vector<double> smoothed;
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
      double sum = weights[0] / total * values[i];
      for (int k = 1; k <= reach; ++k) {
        Index3 before = geometry.index_of(i);
        Index3 after = before;
        before[axis] -= k;
        after[axis] += k;
        sum += weights[k] / total *
               (repeated(values, geometry, before) + repeated(values, geometry, after));
      }
      smoothed.push_back(stored(sum, image.type()));
    }
    values = smoothed;
  }
  return values;
}

std::vector<double> gaussian(const Volume& image, const Vec3& sigma) {
  std::vector<double> values = gaussian_sums(image, sigma);
  if (image.type() == VoxelType::F32) return values;
  for (double& value : values)
    value = std::floor(stored(value + 0.5, image.type()));
  return values;
}

std::vector<double> median(const Volume& image, double radius) {
  const Geometry& geometry = image.geometry();
  const std::vector<double> values = values_of(image);
  Index3 reach{};
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] > 1)
      reach[axis] = static_cast<std::int64_t>(radius / geometry.spacing[axis]) + 1;
  }
  std::vector<double> result;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    const Index3 here = geometry.index_of(i);
    std::vector<double> within;
    for (std::int64_t z = -reach[2]; z <= reach[2]; ++z) {
      for (std::int64_t y = -reach[1]; y <= reach[1]; ++y) {
        for (std::int64_t x = -reach[0]; x <= reach[0]; ++x) {
          const double length =
              std::hypot(double(x) * geometry.spacing[0], double(y) * geometry.spacing[1],
                         double(z) * geometry.spacing[2]);
          // To a millionth, the intended precision of radius and spacing.
          if (length > radius * (1.0 + 1e-6)) continue;
          within.push_back(repeated(values, geometry, {here[0] + x, here[1] + y, here[2] + z}));
        }
      }
    }
    std::sort(within.begin(), within.end());
    result.push_back(within[within.size() / 2]);
  }
  return result;
}

std::vector<float> gradient_magnitude(const Volume& image, const Vec3& sigma) {
  const Geometry& geometry = image.geometry();
  const std::vector<double> values = gaussian_sums(image, sigma);
  std::vector<float> result;
  for (std::int64_t i = 0; i < geometry.voxel_count(); ++i) {
    double squares = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      if (geometry.size[axis] == 1) continue;
      Index3 before = geometry.index_of(i);
      Index3 after = before;
      --before[axis];
      ++after[axis];
      const double slope =
          (repeated(values, geometry, after) - repeated(values, geometry, before)) *
          (0.5 / geometry.spacing[axis]);
      squares += slope * slope;
    }
    result.push_back(static_cast<float>(std::sqrt(squares)));
  }
  return result;
}

}  // namespace seedwave::reference
