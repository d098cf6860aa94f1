// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/filters/gaussian.h"
#include "core/filters/gaussian_passes.h"
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

/// Smooths voxels of type T. After the first pass the image's buffer is free for the result.
template <typename T>
LargeArray<T> smoothed_on_device(std::span<const T> voxels, const Geometry& geometry,
                                 const filters::AxisWeights& weights, Context& context) {
  using Mid = filters::Stored<T>;
  const std::int64_t count = geometry.voxel_count();
  auto result = large_array<T>(voxels.size());
  DeviceRun run(context);
  const Stream& stream = run.stream;
  run.clock.begin("upload");
  DeviceBuffer<T> image(count, stream);
  image.copy_from(voxels, stream);
  const GaussianOnDevice gaussian(weights, geometry.size, stream);
  run.clock.begin("smooth");
  const std::size_t passes = gaussian.passes();
  DeviceBuffer<Mid> first(passes > 1 ? count : 0, stream);
  DeviceBuffer<Mid> second(passes > 2 ? count : 0, stream);
  DeviceBuffer<T> other(passes == 1 ? count : 0, stream);
  if (passes == 1) {
    gaussian.pass<Mid>(0, image.data(), other.data(), count);
  } else {
    gaussian.pass<Mid>(0, image.data(), first.data(), count);
    if (passes == 3) gaussian.pass<Mid>(1, first.data(), second.data(), count);
    const Mid* const last = passes == 3 ? second.data() : first.data();
    gaussian.pass<Mid>(passes - 1, last, image.data(), count);
  }
  context.checkpoint(0.5);
  run.clock.begin("download");
  download(passes == 1 ? other : image, std::span(result.get(), voxels.size()), context, stream);
  run.clock.report();
  return result;
}

}  // namespace

Volume gaussian(const Volume& image, const Vec3& sigma, Context& context) {
  filters::check_smoothable(image, "a Gaussian");
  const filters::AxisWeights weights = filters::gaussian_weights(sigma, image.geometry());
  return visit_voxels(image, [&]<typename T>(std::span<const T> voxels) {
    return Volume(image.geometry(), smoothed_on_device(voxels, image.geometry(), weights, context));
  });
}

std::int64_t gaussian_bytes(const Volume& image) {
  const std::int64_t stored = image.type() == VoxelType::I32 ? 8 : 4;
  const auto voxel = static_cast<std::int64_t>(bytes_of(image.type()));
  return image.geometry().voxel_count() * (voxel + 2 * stored) + weights_bytes() + kBufferEnds;
}

}  // namespace seedwave::gpu
