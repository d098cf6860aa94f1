// SPDX-License-Identifier: Apache-2.0
#include "core/filters/gradient_magnitude.h"

#include "core/base/large_memory.h"
#include "core/filters/gaussian_passes.h"
#include "core/filters/kernel.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace seedwave {
namespace filters {
namespace {

const GradientKernel<float>& gradient_kernel(const Kernel& kernel, float) {
  return kernel.gradient_f32;
}
const GradientKernel<double>& gradient_kernel(const Kernel& kernel, double) {
  return kernel.gradient_f64;
}

/// Cells that a thread handles at once.
constexpr std::int64_t kCells = 1 << 15;

template <typename Mid>
LargeArray<float> difference_lengths(const Mid* smooth, const Geometry& geometry,
                                     Context& context) {
  const auto [nx, ny, nz] = geometry.size;
  const std::int64_t lines = ny * nz;
  const Vec3 factors = difference_factors(geometry);
  const GradientKernel<Mid>& kernel = gradient_kernel(best_kernel(), Mid{});
  auto result = large_array<float>(geometry.voxel_count());
  parallel_for(context, lines, std::max<std::int64_t>(1, kCells / nx),
               [&, nx = nx, ny = ny, nz = nz](std::int64_t begin, std::int64_t end) {
                 std::vector<Mid> padded(nx + 2);
                 for (std::int64_t line = begin; line < end; ++line) {
                   const std::int64_t y = line % ny;
                   const std::int64_t z = line / ny;
                   const auto row = [&](std::int64_t at_y, std::int64_t at_z) {
                     return smooth + (std::clamp<std::int64_t>(at_z, 0, nz - 1) * ny +
                                      std::clamp<std::int64_t>(at_y, 0, ny - 1)) *
                                         nx;
                   };
                   const Mid* here = row(y, z);
                   padded.front() = here[0];
                   std::copy_n(here, nx, padded.begin() + 1);
                   padded.back() = here[nx - 1];
                   const std::array ends{static_cast<const Mid*>(padded.data()),
                                         static_cast<const Mid*>(padded.data() + 2),
                                         row(y - 1, z),
                                         row(y + 1, z),
                                         row(y, z - 1),
                                         row(y, z + 1)};
                   kernel.lengths(ends.data(), factors.data(), nx, result.get() + line * nx);
                 }
               });
  return result;
}

}  // namespace
}  // namespace filters

Vec3 difference_factors(const Geometry& geometry) {
  Vec3 factors{};
  for (int axis = 0; axis < 3; ++axis) {
    // Finite for the smallest spacings too: no product with a difference of 0 is NaN.
    if (geometry.size[axis] > 1)
      factors[axis] = std::min(0.5 / geometry.spacing[axis], std::numeric_limits<double>::max());
  }
  return factors;
}

Volume gradient_magnitude(const Volume& image, const Vec3& sigma, Context& context) {
  filters::check_smoothable(image, "the gradient magnitude");
  const filters::AxisWeights weights = filters::gaussian_weights(sigma, image.geometry());
  return visit_voxels(image, [&]<typename T>(std::span<const T>) {
    const auto smooth = filters::smoothed<T>(image, weights, context);
    return Volume(image.geometry(),
                  filters::difference_lengths(smooth.get(), image.geometry(), context));
  });
}

}  // namespace seedwave
