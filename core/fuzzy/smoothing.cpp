// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/smoothing.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace seedwave::fuzzy {
namespace {

/// Returns the weights of offsets 0..reach. The whole symmetric kernel sums to 1.
std::vector<double> half_kernel(double sigma) {
  const int reach = static_cast<int>(std::ceil(4.0 * sigma));
  std::vector<double> weights(reach + 1);
  double sum = 0.0;
  for (int i = 0; i <= reach; ++i) {
    weights[i] = std::exp(-(i * i) / (2.0 * sigma * sigma));
    sum += i == 0 ? weights[i] : 2.0 * weights[i];
  }
  for (double& weight : weights)
    weight /= sum;
  return weights;
}

/// Smooths along one axis. Each step adds weighted runs of `run` contiguous cells, so memory is
/// read sequentially. A line along the axis has `length` cells.
///
/// T is the type stored between the axes. Every sum is taken in f64.
template <typename T>
void smooth_axis(const std::vector<T>& from, std::vector<T>& to, std::int64_t run,
                 std::int64_t length, const std::vector<double>& weights, Context& context) {
  const auto cells = static_cast<std::int64_t>(from.size());
  const auto reach = static_cast<std::int64_t>(weights.size()) - 1;
  const std::int64_t slabs = cells / run;  // one slab: `run` cells at one place of the axis
  const std::int64_t grain = std::max<std::int64_t>(1, (1 << 16) / run);
  parallel_for(context, slabs, grain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> sums(static_cast<std::size_t>(run));
    for (std::int64_t slab = begin; slab < end; ++slab) {
      if (context.stop_requested()) return;
      const std::int64_t place = slab % length;
      const auto row = [&](std::int64_t offset) {
        const std::int64_t other = std::clamp<std::int64_t>(place + offset, 0, length - 1);
        return from.data() + (slab + other - place) * run;
      };
      const T* centre = row(0);
      for (std::int64_t i = 0; i < run; ++i)
        sums[i] = weights[0] * static_cast<double>(centre[i]);
      for (std::int64_t k = 1; k <= reach; ++k) {
        const T* before = row(-k);
        const T* after = row(k);
        for (std::int64_t i = 0; i < run; ++i) {
          sums[i] += weights[k] * (static_cast<double>(before[i]) + static_cast<double>(after[i]));
        }
      }
      T* out = to.data() + slab * run;
      for (std::int64_t i = 0; i < run; ++i)
        out[i] = static_cast<T>(sums[i]);
    }
  });
  context.checkpoint(0.0);
}

/// Smooths along all axes of more than one voxel.
template <typename T>
void smooth(std::vector<T>& values, const Geometry& geometry, double sigma, Context& context) {
  const std::vector<double> weights = half_kernel(sigma);
  std::vector<T> smoothed(values.size());
  std::int64_t run = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] > 1) {
      smooth_axis(values, smoothed, run, geometry.size[axis], weights, context);
      values.swap(smoothed);
    }
    run *= geometry.size[axis];
  }
}

}  // namespace

std::vector<std::uint16_t> gaussian_smoothed(const std::vector<std::uint16_t>& greys,
                                             const Geometry& geometry, double sigma,
                                             Context& context) {
  std::vector<float> values(greys.begin(), greys.end());  // f32 holds 16-bit values exactly
  smooth(values, geometry, sigma, context);
  std::vector<std::uint16_t> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), [](float value) {
    return static_cast<std::uint16_t>(std::clamp(std::floor(value + 0.5F), 0.0F, 65535.0F));
  });
  return result;
}

Volume gaussian_smoothed(const Volume& image, double sigma, Context& context) {
  if (image.type() == VoxelType::F32) {
    const auto voxels = image.voxels<float>();
    std::vector<float> values(voxels.begin(), voxels.end());
    smooth(values, image.geometry(), sigma, context);
    return {image.geometry(), std::move(values)};
  }
  const auto voxels = image.voxels<std::int32_t>();
  std::vector<double> values(voxels.begin(), voxels.end());
  smooth(values, image.geometry(), sigma, context);
  std::vector<std::int32_t> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(),
                 [](double value) { return static_cast<std::int32_t>(std::floor(value + 0.5)); });
  return {image.geometry(), std::move(result)};
}

}  // namespace seedwave::fuzzy
