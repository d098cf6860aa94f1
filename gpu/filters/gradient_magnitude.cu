// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/filters/gaussian_passes.h"
#include "core/filters/gradient_magnitude.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/memory.h"
#include "gpu/filters/filters.h"
#include "gpu/filters/gaussian_passes.cuh"

#include <cstddef>
#include <span>
#include <utility>

namespace seedwave::gpu {
namespace {

struct GradientGrid {
  std::int64_t nx;
  std::int64_t ny;
  std::int64_t nz;
  double factors[3];
};

/// Computes the length of the central differences. One thread per voxel; no shared memory; no
/// races. The operations have the order of core's kernel.
template <typename Mid>
__global__ void __launch_bounds__(kBlockSize)
    gradient_kernel(const Mid* __restrict__ smooth, const GradientGrid grid, std::int64_t count,
                    float* __restrict__ lengths) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::int64_t plane = grid.nx * grid.ny;
  const std::int64_t x = i % grid.nx;
  const std::int64_t y = i / grid.nx % grid.ny;
  const std::int64_t z = i / plane;
  const auto slope = [&](std::int64_t place, std::int64_t length, std::int64_t stride,
                         double factor) {
    const Mid before = smooth[place > 0 ? i - stride : i];
    const Mid after = smooth[place < length - 1 ? i + stride : i];
    return (static_cast<double>(after) - static_cast<double>(before)) * factor;
  };
  const double dx = slope(x, grid.nx, 1, grid.factors[0]);
  const double dy = slope(y, grid.ny, grid.nx, grid.factors[1]);
  const double dz = slope(z, grid.nz, plane, grid.factors[2]);
  lengths[i] = __double2float_rn(__dsqrt_rn(dx * dx + dy * dy + dz * dz));
}

template <typename T>
LargeArray<float> gradient_on_device(std::span<const T> voxels, const Geometry& geometry,
                                     const filters::AxisWeights& weights, Context& context) {
  using Mid = filters::Stored<T>;
  const std::int64_t count = geometry.voxel_count();
  const Vec3 factors = difference_factors(geometry);
  const Index3& size = geometry.size;
  auto result = large_array<float>(voxels.size());
  DeviceRun run(context);
  const Stream& stream = run.stream;
  run.clock.begin("upload");
  DeviceBuffer<T> image(count, stream);
  image.copy_from(voxels, stream);
  const GaussianOnDevice gaussian(weights, size, stream);
  run.clock.begin("smooth");
  DeviceBuffer<Mid> smooth(count, stream);
  DeviceBuffer<Mid> other(count, stream);
  gaussian.pass<Mid>(0, image.data(), smooth.data(), count);
  for (std::size_t number = 1; number < gaussian.passes(); ++number) {
    gaussian.pass<Mid>(number, smooth.data(), other.data(), count);
    std::swap(smooth, other);
  }
  context.checkpoint(0.5);
  run.clock.begin("gradient");
  static_assert(sizeof(Mid) >= sizeof(float));
  auto* const lengths = reinterpret_cast<float*>(other.data());
  gradient_kernel<<<blocks_for(count), kBlockSize, 0, stream.get()>>>(
      smooth.data(), GradientGrid{size[0], size[1], size[2], {factors[0], factors[1], factors[2]}},
      count, lengths);
  check_launch(stream.get());
  run.clock.begin("download");
  const auto bytes = count * static_cast<std::int64_t>(sizeof(float));
  download_rows({lengths, bytes, bytes},
                std::as_writable_bytes(std::span(result.get(), voxels.size())), context, stream);
  run.clock.report();
  return result;
}

}  // namespace

Volume gradient_magnitude(const Volume& image, const Vec3& sigma, Context& context) {
  filters::check_smoothable(image, "the gradient magnitude");
  const filters::AxisWeights weights = filters::gaussian_weights(sigma, image.geometry());
  return visit_voxels(image, [&]<typename T>(std::span<const T> voxels) {
    return Volume(image.geometry(), gradient_on_device(voxels, image.geometry(), weights, context));
  });
}

std::int64_t gradient_magnitude_bytes(const Volume& image) {
  const std::int64_t stored = image.type() == VoxelType::I32 ? 8 : 4;
  const auto voxel = static_cast<std::int64_t>(bytes_of(image.type()));
  return image.geometry().voxel_count() * (voxel + 2 * stored) + weights_bytes() + kBufferEnds;
}

}  // namespace seedwave::gpu
